import { Paging } from '../../parts/paging.tsx'
import { parts } from '../../texts/en/parts.ts'
import { vehicles as texts } from '../../texts/en/vehicles.ts'
import { anchor, hidden, rich, text } from '../../texts/rich.tsx'
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

/** The result: how many vehicles, a page of them, and counts to narrow the search. */
export function Found({ list: { pagination, results }, charts, asked }: FoundProps) {
  const { page, totalPages, totalItems } = pagination
  return (
    <div class="found">
      <section aria-labelledby="total">
        <h2 id="total">{text(texts.counted, { count: totalItems })}</h2>
        <Filters asked={asked} />
        {charts !== undefined && totalItems > 0 && (
          <p class="to-charts no-print">
            <a href="#charts">{texts.narrowBy}</a>
          </p>
        )}
        {totalItems === 0 && (
          <p class="notice">
            {askedFor(asked, 'match') === 'exact'
              ? rich(texts.nothingExact, { link: anchor(linkTo(changed(asked, { match: null }))) })
              : texts.nothing}
          </p>
        )}
        {totalItems > 0 && results.length === 0 && (
          <p class="notice">{rich(parts.noPage, { page, link: anchor(linkTo(changed(asked, {}))) })}</p>
        )}
        {results.length > 0 && <Results vehicles={results} asked={asked} />}
        <Paging
          page={page}
          totalPages={totalPages}
          linkTo={number => linkTo(changed(asked, { page: number === 1 ? null : String(number) }))}
        />
        {totalItems > 0 && <ApiAddress asked={asked} total={totalItems} />}
      </section>
      {charts !== undefined && totalItems > 0 && <Charts charts={charts} asked={asked} />}
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
          <a href={linkTo(changed(asked, { [name]: null }))}>
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
