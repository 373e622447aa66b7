import type { ComponentProps } from 'preact'
import { to } from '../../address.ts'
import type { ParameterError } from '../../parts/failed-request.tsx'
import { errorOf, Field, TextField } from '../../parts/field.tsx'
import { vehicles as texts } from '../../texts/en/vehicles.ts'
import type { Suggestions } from './load.ts'
import { MORE_FIELDS, MoreFilters } from './more-filters.tsx'
import { askedFor, type Question } from './question.ts'
import { fuelInWords, LABELS } from './words.ts'

/** The parameters that have a field. */
export const FIELDS = ['q', 'make', 'model', 'color', 'fuelType', ...MORE_FIELDS]

export interface SearchFormProps {
  readonly asked: Question
  readonly errors: readonly ParameterError[]
  readonly suggestions: Suggestions
}

/** The filters of the register. The form uses GET, so each result has an address. */
export function SearchForm(props: SearchFormProps) {
  const { asked, errors, suggestions } = props
  const { fuelTypes } = suggestions
  const chosen = askedFor(asked, 'fuelType')
  // A value that is not in the list stays, so that readers see the refused value.
  const fuels = chosen === '' || fuelTypes.includes(chosen) ? fuelTypes : [chosen, ...fuelTypes]
  return (
    <search>
      <form class="vehicle-search no-print" action={to('/vehicles')} aria-label={texts.searchForm}>
        <div class="fields">
          <Filter name="q" label={texts.makeOrModel} type="search" {...props} />
          <Filter name="make" list={suggestions.makes} {...props} />
          <Filter name="model" list={suggestions.models} {...props} />
          <Filter name="color" list={suggestions.colors} {...props} />
          <Field name="fuelType" label={texts.labels.fuelType} error={errorOf(errors, 'fuelType')}>
            {described => (
              <select {...described}>
                <option value="">{texts.any}</option>
                {fuels.map(value => (
                  <option key={value} value={value} selected={value === chosen}>
                    {fuelInWords(value)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <MoreFilters {...props} />
        <p>
          <button type="submit">{texts.search}</button> <a href={to('/vehicles')}>{texts.clear}</a>
        </p>
      </form>
    </search>
  )
}

interface FilterProps extends SearchFormProps, Pick<ComponentProps<typeof TextField>, 'type' | 'list'> {
  readonly name: string
  readonly label?: string
}

/** The field of a filter. */
export const Filter = ({
  name,
  label = LABELS[name] ?? name,
  asked,
  errors,
  suggestions,
  ...props
}: FilterProps) => (
  <TextField {...props} {...{ name, label }} value={askedFor(asked, name)} error={errorOf(errors, name)} />
)
