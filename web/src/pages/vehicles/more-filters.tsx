import { errorOf, Field } from '../../parts/field.tsx'
import { vehicles as texts } from '../../texts/en/vehicles.ts'
import { askedFor, type Question } from './question.ts'
import { Filter, type SearchFormProps } from './search-form.tsx'
import { ORDERS } from './words.ts'

const RANGES = [
  'minCylinderCapacity',
  'maxCylinderCapacity',
  'minWeight',
  'maxWeight',
  'minCo2Emissions',
  'maxCo2Emissions',
]

/** The parameters that have a field here. */
export const MORE_FIELDS = ['startDate', 'endDate', 'dateType', 'match', 'sort', ...RANGES]

const DATE_TYPES = [
  ['', texts.dates.first],
  ['regInJersey', texts.dates.inJersey],
] as const
const MATCHES = [
  ['', texts.matches.part],
  ['exact', texts.matches.exact],
] as const

/** The filters that fewer people need. They are open if one of them is in use. */
export function MoreFilters(props: SearchFormProps) {
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
  const chosen = askedFor(asked, name)
  return (
    <Field name={name} label={label} error={errorOf(errors, name)}>
      {described => (
        <select {...described}>
          {options.map(([value, label]) => (
            <option key={value} value={value} selected={value === chosen}>
              {label}
            </option>
          ))}
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
