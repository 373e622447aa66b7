import { to } from '../../address.ts'
import type { ParameterError } from '../../parts/failed-request.tsx'
import { errorOf, TextField } from '../../parts/field.tsx'
import { recalls } from '../../texts/en/recalls.ts'
import type { RecallQuestion } from './load.ts'

/** The parameters that have a field. */
export const FIELDS = ['q', 'brand', 'since']

interface SearchFormProps {
  readonly asked: RecallQuestion
  readonly errors: readonly ParameterError[]
  readonly brands: readonly string[]
}

/** Searches recalls by words, brand and date. */
export function SearchForm({ asked, errors, brands }: SearchFormProps) {
  const fieldOf = (name: keyof RecallQuestion) => ({
    name,
    value: asked[name] ?? '',
    error: errorOf(errors, name),
  })
  return (
    <search>
      <form class="recall-search fields no-print" action={to('/recalls')} aria-label={recalls.searchForm}>
        <TextField {...fieldOf('q')} label={recalls.product} type="search" />
        <TextField {...fieldOf('brand')} label={recalls.brand} list={brands} />
        <TextField {...fieldOf('since')} label={recalls.since} type="date" />
        <button type="submit">{recalls.search}</button>
      </form>
    </search>
  )
}
