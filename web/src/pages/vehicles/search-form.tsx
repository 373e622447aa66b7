import type { ComponentProps } from 'preact'
import { to } from '../../address.ts'
import type { ParameterError } from '../../parts/failed-request.tsx'
import { errorOf, Field, Options, TextField } from '../../parts/field.tsx'
import { vehicles as texts } from '../../texts/en/vehicles.ts'
import type { Suggestions } from './load.ts'
import { askedFor, type Question } from './question.ts'
import { fuelInWords, LABELS, ORDERS } from './words.ts'

const RANGES = [
  'minCylinderCapacity',
  'maxCylinderCapacity',
  'minWeight',
  'maxWeight',
  'minCo2Emissions',
  'maxCo2Emissions',
]

/** The parameters that have a field among the filters that fewer people need. */
const MORE_FIELDS = ['startDate', 'endDate', 'dateType', 'match', 'sort', ...RANGES]

const DATE_TYPES = [
  ['', texts.dates.first],
  ['regInJersey', texts.dates.here],
] as const
const MATCHES = [
  ['', texts.matches.part],
  ['exact', texts.matches.exact],
] as const

/** The parameters that have a field. */
export const FIELDS = ['q', 'make', 'model', 'color', 'fuelType', ...MORE_FIELDS]

interface SearchFormProps {
  readonly asked: Question
  readonly errors: readonly ParameterError[]
  readonly suggestions: Suggestions
}

/** The filters of the register. The form uses GET, so each result has an address. */
export function SearchForm(props: SearchFormProps) {
  const { asked, errors, suggestions } = props
  const { fuelTypes } = suggestions
  const chosen = askedFor(asked, 'fuelType')
  const compared = askedFor(asked, 'with')
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
                <Options of={fuels.map(value => [value, fuelInWords(value)])} chosen={chosen} />
              </select>
            )}
          </Field>
        </div>
        <MoreFilters {...props} />
        {compared !== '' && <input type="hidden" name="with" value={compared} />}
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
const Filter = ({
  name,
  label = LABELS[name] ?? name,
  asked,
  errors,
  suggestions,
  ...props
}: FilterProps) => (
  <TextField {...props} {...{ name, label }} value={askedFor(asked, name)} error={errorOf(errors, name)} />
)

/** The filters that fewer people need. They are open if one of them is in use. */
function MoreFilters(props: SearchFormProps) {
  const { asked, errors } = props
  // Bars ask for whole values, so `match` alone does not open the filters.
  const names = asked.map(([name]) => name).filter(name => name !== 'match')
  const isUsed = [...names, ...errors.map(({ parameter }) => parameter)].some(name =>
    MORE_FIELDS.includes(name),
  )
  return (
    <details open={isUsed}>
      <summary>{texts.more}</summary>
      <div class="fields">
        <Filter name="startDate" type="date" {...props} />
        <Filter name="endDate" type="date" {...props} />
      </div>
      <div class="fields choices">
        <Choice name="dateType" label={texts.whichDate} options={DATE_TYPES} {...props} />
      </div>
      <div class="fields numbers">
        {RANGES.map(name => (
          <Filter key={name} name={name} type="number" {...props} />
        ))}
      </div>
      <div class="fields choices">
        <Choice name="match" label={texts.match} options={MATCHES} {...props} />
        <Choice name="sort" label={texts.order} options={withAsked(ORDERS, asked)} {...props} />
      </div>
    </details>
  )
}

interface ChoiceProps extends SearchFormProps {
  readonly name: string
  readonly label: string
  readonly options: readonly (readonly [value: string, label: string])[]
}

function Choice({ name, label, options, asked, errors }: ChoiceProps) {
  return (
    <Field name={name} label={label} error={errorOf(errors, name)}>
      {described => (
        <select {...described}>
          <Options of={options} chosen={askedFor(asked, name)} />
        </select>
      )}
    </Field>
  )
}

/** The orders, and also another order from the address. */
function withAsked(orders: ChoiceProps['options'], asked: Question): ChoiceProps['options'] {
  const sort = askedFor(asked, 'sort')
  return orders.some(([value]) => value === sort) ? orders : [...orders, [sort, sort]]
}
