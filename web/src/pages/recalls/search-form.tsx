import { to } from '../../address.ts'
import type { ParameterError } from '../../parts/failed-request.tsx'
import { errorOf, Field } from '../../parts/field.tsx'
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
  return (
    <search>
      <form class="recall-search fields no-print" action={to('/recalls')} aria-label={recalls.searchForm}>
        <Field name="q" label={recalls.product} error={errorOf(errors, 'q')}>
          {described => <input {...described} type="search" value={asked.q ?? ''} autocomplete="off" />}
        </Field>
        <Field name="brand" label={recalls.brand} error={errorOf(errors, 'brand')}>
          {described => (
            <>
              <input {...described} value={asked.brand ?? ''} list="list-brand" autocomplete="off" />
              <datalist id="list-brand">
                {brands.map(brand => (
                  <option key={brand} value={brand} />
                ))}
              </datalist>
            </>
          )}
        </Field>
        <Field name="since" label={recalls.since} error={errorOf(errors, 'since')}>
          {described =>
            errorOf(errors, 'since') === undefined ? (
              <input {...described} type="date" value={asked.since ?? ''} />
            ) : (
              <input {...described} value={asked.since ?? ''} />
            )
          }
        </Field>
        <button type="submit">{recalls.search}</button>
      </form>
    </search>
  )
}
