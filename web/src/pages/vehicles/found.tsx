import { Paging } from '../../parts/paging.tsx'
import { counted } from '../../words/numbers.ts'
import { ApiAddress } from './api-address.tsx'
import { Charts } from './charts.tsx'
import type { VehicleList } from './load.ts'
import type { VehicleCharts } from './load-charts.ts'
import { askedFor, changed, filtersOf, linkTo, type Question } from './question.ts'
import { Results } from './results.tsx'
import { filterInWords } from './words.ts'

interface FoundProps {
  readonly list: VehicleList
  readonly charts: VehicleCharts | undefined
  readonly asked: Question
}

/** What was found: how many, which, and counts of them to go on with. */
export function Found({ list: { pagination, results }, charts, asked }: FoundProps) {
  const { page, totalPages, totalItems } = pagination
  return (
    <div class="found">
      <section aria-labelledby="total">
        <h2 id="total">{counted(totalItems, 'vehicle')}</h2>
        <Filters asked={asked} />
        {charts !== undefined && totalItems > 0 && (
          <p class="to-charts no-print">
            <a href="#charts">Narrow it down by make, colour, fuel or year</a>
          </p>
        )}
        {totalItems === 0 && <NothingFound asked={asked} />}
        {totalItems > 0 && results.length === 0 && (
          <p class="notice">
            There is no page {page}. <a href={linkTo(changed(asked, {}))}>Go to the first page</a>
          </p>
        )}
        {results.length > 0 && <Results vehicles={results} asked={asked} />}
        <Paging
          page={page}
          totalPages={totalPages}
          linkTo={number => linkTo(changed(asked, { page: number === 1 ? null : String(number) }))}
        />
        <ApiAddress asked={asked} total={totalItems} />
      </section>
      {charts !== undefined && totalItems > 0 && <Charts charts={charts} asked={asked} />}
    </div>
  )
}

/** The filters in use; each can be taken away. */
function Filters({ asked }: { readonly asked: Question }) {
  const filters = filtersOf(asked)
  if (filters.length === 0) return null
  return (
    <ul class="chips no-print" aria-label="Filters in use">
      {filters.map(([name, value]) => (
        <li key={name}>
          <a href={linkTo(changed(asked, { [name]: null }))}>
            {filterInWords(name, value)} <span aria-hidden="true">×</span>
            <span class="visually-hidden"> remove</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

function NothingFound({ asked }: { readonly asked: Question }) {
  return (
    <p class="notice">
      No vehicle matches all of these filters.{' '}
      {askedFor(asked, 'match') === 'exact' && (
        <>
          <a href={linkTo(changed(asked, { match: null }))}>Search for parts of words</a>, or remove{' '}
        </>
      )}
      {askedFor(asked, 'match') !== 'exact' && 'Remove '}a filter.
    </p>
  )
}
