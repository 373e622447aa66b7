import { to } from '../../address.ts'
import { Paging } from '../../parts/paging.tsx'
import { parts } from '../../texts/en/parts.ts'
import { vehicles as texts } from '../../texts/en/vehicles.ts'
import { anchor, hidden, rich, text } from '../../texts/rich.tsx'
import { ApiAddress } from './api-address.tsx'
import type { YearChart as Chart } from './chart-data.ts'
import type { VehicleList } from './load.ts'
import type { Share } from './load-shares.ts'
import { askedFor, changed, comparing, filtersOf, linkTo, linkToCounts, type Question } from './question.ts'
import { Results } from './results.tsx'
import { Shares } from './shares.tsx'
import { TakeAway } from './take-away.tsx'
import { filterInWords } from './words.ts'
import { YearChart } from './year-chart.tsx'

interface AnswersProps {
  readonly chart: Chart | undefined
  readonly shares: readonly Share[] | undefined
  readonly asked: Question
}

/** The counts of the matching vehicles: by year, then by what people ask for most. */
export function Answers({ chart, shares, asked }: AnswersProps) {
  const isDated = askedFor(asked, 'startDate') + askedFor(asked, 'endDate') !== ''
  return (
    <>
      {chart !== undefined && <YearChart chart={chart} />}
      {chart !== undefined && <TakeAway chart={chart} />}
      <p class="chart-links no-print">
        {isDated && (
          <a href={linkToCounts(changed(asked, { startDate: null, endDate: null }))}>{texts.allYears}</a>
        )}
        {chart?.compared === undefined && <a href={linkTo(comparing(asked))}>{texts.compare}</a>}
      </p>
      {shares !== undefined && <Shares shares={shares} asked={asked} />}
      <p>
        <a href={to('/vehicles/over-time')}>{texts.overTime.title}</a>
      </p>
    </>
  )
}

interface FoundProps extends AnswersProps {
  readonly list: VehicleList
}

/** The result: how many vehicles, the counts to narrow the search by, and a page of the vehicles. */
export function Found({ list: { pagination, results }, chart, shares, asked }: FoundProps) {
  const { page, totalPages, totalItems } = pagination
  const toRows = (changes: Parameters<typeof changed>[1]) => `${linkTo(changed(asked, changes))}#rows`
  return (
    <div class="found">
      <h2 id="total">{text(texts.counted, { count: totalItems })}</h2>
      <Filters asked={asked} />
      {totalItems > 0 && (
        <p class="no-print">
          <a href="#rows">{texts.toRows}</a>
        </p>
      )}
      {totalItems === 0 && (
        <p class="notice">
          {askedFor(asked, 'match') === 'exact'
            ? rich(texts.nothingExact, { link: anchor(linkTo(changed(asked, { match: null }))) })
            : texts.nothing}
        </p>
      )}
      {(totalItems > 0 || chart?.compared) && <Answers chart={chart} shares={shares} asked={asked} />}
      {totalItems > 0 && <h2 id="rows">{texts.caption}</h2>}
      {totalItems > 0 && results.length === 0 && (
        <p class="notice">{rich(parts.noPage, { page, link: anchor(linkTo(changed(asked, {}))) })}</p>
      )}
      {results.length > 0 && <Results vehicles={results} asked={asked} />}
      <Paging
        page={page}
        totalPages={totalPages}
        linkTo={number => toRows({ page: number === 1 ? null : String(number) })}
      />
      {totalItems > 0 && <ApiAddress asked={asked} total={totalItems} />}
    </div>
  )
}

/** The filters in use, with links to remove them. */
function Filters({ asked }: { readonly asked: Question }) {
  const filters = filtersOf(asked)
  if (filters.length === 0) return null
  return (
    <ul class="chips no-print" aria-label={texts.filters}>
      {filters.map(([name, value]) => (
        <li key={name}>
          <a href={linkToCounts(changed(asked, { [name]: null }))}>
            {rich(texts.remove, {
              filter: filterInWords(name, value),
              sign: cross => <span aria-hidden="true">{cross}</span>,
              hidden,
            })}
          </a>
        </li>
      ))}
    </ul>
  )
}
