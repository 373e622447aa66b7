import { declarePage, type ViewProps } from '../../page.ts'
import { isFailure } from '../../parts/failed-request.tsx'
import { RefusedSearch } from '../../parts/refused-search.tsx'
import { vehicles as texts } from '../../texts/en/vehicles.ts'
import { anchor, link, rich, text } from '../../texts/rich.tsx'
import { timeInWords } from '../../words/relative-time.ts'
import type { YearChart } from './chart-data.ts'
import { Answers, Found } from './found.tsx'
import { loadVehicles, type VehiclesData } from './load.ts'
import { askedFor, changed, filtersOf, linkTo, type Question } from './question.ts'
import { FIELDS, SearchForm } from './search-form.tsx'
import { filterInWords } from './words.ts'

/** The register of vehicles: search, counts and downloads. */
export const vehicles = declarePage<VehiclesData>({
  path: '/vehicles',
  maxAge: 300,
  script: 'vehicles',
  load: loadVehicles,
  title({ asked }) {
    const filters = filtersOf(asked).map(([name, value]) => filterInWords(name, value))
    const page = askedFor(asked, 'page')
    return [texts.title, ...filters, ...(page === '' ? [] : [text(texts.titlePage, { page })])].join(', ')
  },
  description: () => texts.description,
  status: ({ list }) => (isFailure(list) ? list.failed.status : 200),
  retryAfterS: ({ list }) => (isFailure(list) ? list.retryAfterS : undefined),
  View,
})

function View({ data }: ViewProps<VehiclesData>) {
  const { asked, ignored, list, chart, shares, suggestions, about } = data
  const errors = isFailure(list) ? (list.failed.errors ?? []) : []
  return (
    <>
      <h1>{texts.title}</h1>
      <p>{texts.lead}</p>
      {ignored.length > 0 && (
        <p class="notice">
          {text(texts.ignored, { names: ignored.map(name => `“${name.slice(0, 40)}”`).join(', ') })}
        </p>
      )}
      {chart?.compared && <Comparison chart={chart} asked={asked} />}
      {isFailure(list) && (
        <RefusedSearch
          failure={list}
          fields={FIELDS}
          without={names => linkTo(asked.filter(([name]) => !names.includes(name)))}
        />
      )}
      <SearchForm asked={asked} errors={errors} suggestions={suggestions} />
      {!isFailure(list) && <Found list={list} chart={chart} shares={shares} asked={asked} />}
      {/* Counts are not limited as lists are. */}
      {isFailure(list) && <Answers chart={chart} shares={shares} asked={asked} />}
      {about?.updatedAt && (
        <p class="facts">
          {rich(texts.origin, {
            ...{ publisher: about.publisher ?? texts.register, time: timeInWords(about.updatedAt) },
            link: link('/data/vehicles'),
          })}
          {about.licence && ` ${text(texts.licence, { licence: about.licence })}`}
        </p>
      )}
    </>
  )
}

/** Says what the chart compares with, until there is something else to compare. */
function Comparison({ chart, asked }: { readonly chart: YearChart; readonly asked: Question }) {
  const [, other] = chart.series
  const stop = anchor(linkTo(changed(asked, { with: null })))
  return (
    <p class="notice">
      {other === undefined
        ? rich(texts.compareNext, { question: chart.series[0]?.words ?? '', stop })
        : rich(texts.compared, { question: other.words, stop })}
    </p>
  )
}
