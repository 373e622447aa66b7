import { declarePage, to, type ViewProps } from '../../page.ts'
import { isFailure } from '../../parts/failed-request.tsx'
import { RefusedSearch } from '../../parts/refused-search.tsx'
import { timeInWords } from '../../words/relative-time.ts'
import { Charts } from './charts.tsx'
import { Found } from './found.tsx'
import { loadVehicles, type VehiclesData } from './load.ts'
import { askedFor, filtersOf, linkTo } from './question.ts'
import { FIELDS, SearchForm } from './search-form.tsx'
import { filterInWords } from './words.ts'

/** The register of vehicles: searched, counted and taken away. */
export const vehicles = declarePage<VehiclesData>({
  path: '/vehicles',
  maxAge: 300,
  script: 'vehicles',
  load: loadVehicles,
  title({ asked }) {
    const filters = filtersOf(asked).map(([name, value]) => filterInWords(name, value))
    const page = askedFor(asked, 'page')
    return ['Registered vehicles', ...filters, ...(page === '' ? [] : [`page ${page}`])].join(', ')
  },
  description: () =>
    'Search the register of vehicles by make, model, colour, fuel and date, and see how many there are of each.',
  status: ({ list }) => (isFailure(list) ? list.failed.status : 200),
  retryAfterS: ({ list }) => (isFailure(list) ? list.retryAfterS : undefined),
  View,
})

function View({ data }: ViewProps<VehiclesData>) {
  const { asked, ignored, list, charts, suggestions, about } = data
  const errors = isFailure(list) ? (list.failed.errors ?? []) : []
  return (
    <>
      <h1>Registered vehicles</h1>
      <p>No owners and no number plates: only what kinds of vehicles there are.</p>
      {ignored.length > 0 && (
        <p class="notice">
          This page does not know {ignored.map(name => `“${name.slice(0, 40)}”`).join(', ')} in its address,
          and ignores it.
        </p>
      )}
      {isFailure(list) && (
        <RefusedSearch
          failure={list}
          fields={FIELDS}
          without={names => linkTo(asked.filter(([name]) => !names.includes(name)))}
        />
      )}
      <SearchForm asked={asked} errors={errors} suggestions={suggestions} />
      {!isFailure(list) && <Found list={list} charts={charts} asked={asked} />}
      {/* Counts are not limited as lists are. */}
      {isFailure(list) && charts !== undefined && <Charts charts={charts} asked={asked} />}
      {about?.updatedAt && (
        <p class="facts">
          From <a href={to('/data/vehicles')}>{about.publisher ?? 'the register'}</a>, updated{' '}
          {timeInWords(about.updatedAt)}.{about.licence && ` Licence: ${about.licence}.`}
        </p>
      )}
    </>
  )
}
