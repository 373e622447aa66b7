import type { components } from '../../../../client/src/schema.ts'
import { calendarDate } from '../../words/island-time.ts'
import { grouped } from '../../words/numbers.ts'
import { askedFor, changed, linkTo, type Question } from './question.ts'
import { fuelInWords } from './words.ts'

type Vehicle = components['schemas']['Vehicle']

interface Column {
  readonly label: string
  /** The field that it is sorted by. */
  readonly sort: keyof Vehicle
  /** Undefined where the register leaves it blank. */
  readonly write: (vehicle: Vehicle) => string | undefined
  readonly kind?: 'number' | 'date'
}

const amount = (value: number | null, unit: string) =>
  value === null ? undefined : `${grouped(value)} ${unit}`
const dated = (midnight: string | null) => (midnight === null ? undefined : calendarDate(midnight))

const COLUMNS: readonly Column[] = [
  { label: 'Colour', sort: 'color', write: ({ color }) => color },
  { label: 'Fuel', sort: 'fuelType', write: ({ fuelType }) => fuelInWords(fuelType) },
  {
    label: 'Engine',
    sort: 'cylinderCapacity',
    write: ({ cylinderCapacity }) => amount(cylinderCapacity, 'cm³'),
    kind: 'number',
  },
  { label: 'Weight', sort: 'weight', write: ({ weight }) => amount(weight, 'kg'), kind: 'number' },
  {
    label: 'CO₂',
    sort: 'co2Emissions',
    write: ({ co2Emissions }) => amount(co2Emissions, 'g/km'),
    kind: 'number',
  },
  {
    label: 'First registered',
    sort: 'firstRegisteredAt',
    write: each => dated(each.firstRegisteredAt),
    kind: 'date',
  },
  {
    label: 'In Jersey',
    sort: 'firstRegisteredInJerseyAt',
    write: each => dated(each.firstRegisteredInJerseyAt),
    kind: 'date',
  },
]

interface ResultsProps {
  readonly vehicles: readonly Vehicle[]
  readonly asked: Question
}

/** The vehicles: a table, which a narrow window shows as cards. It has no columns that are blank in all of them. */
export function Results({ vehicles, asked }: ResultsProps) {
  const columns = COLUMNS.filter(({ write }) => vehicles.some(vehicle => write(vehicle) !== undefined))
  return (
    <table class="vehicles">
      <caption class="visually-hidden">Vehicles</caption>
      <thead>
        <tr>
          <Heading label="Vehicle" sort="make" asked={asked} />
          {columns.map(({ label, sort, kind }) => (
            <Heading key={sort} label={label} sort={sort} asked={asked} kind={kind} />
          ))}
        </tr>
      </thead>
      <tbody>
        {vehicles.map((vehicle, index) => (
          // Equal vehicles share a fingerprint, so it is no key.
          <tr key={index}>
            <th scope="row">
              {vehicle.make} <span class="model">{vehicle.model}</span>
            </th>
            {columns.map(({ label, sort, write, kind }) => (
              <Cell key={sort} label={label} text={write(vehicle)} kind={kind} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface CellProps {
  readonly label: string
  readonly text: string | undefined
  readonly kind: Column['kind']
}

function Cell({ label, text, kind }: CellProps) {
  return (
    <td data-label={label} class={text === undefined ? `${kind ?? ''} blank` : kind}>
      {text ?? '–'}
    </td>
  )
}

interface HeadingProps {
  readonly label: string
  readonly sort: string
  readonly asked: Question
  readonly kind?: Column['kind']
}

/** The heading of a column: pressed, it sorts by it; pressed again, in the other direction. */
function Heading({ label, sort, asked, kind }: HeadingProps) {
  const [first] = askedFor(asked, 'sort').split(',')
  const isAscending = first === sort
  const isDescending = first === `-${sort}`
  const next = isAscending ? `-${sort}` : sort
  return (
    <th
      scope="col"
      class={kind}
      aria-sort={isAscending ? 'ascending' : isDescending ? 'descending' : undefined}
    >
      <a href={linkTo(changed(asked, { sort: next }))}>{label}</a>
      {(isAscending || isDescending) && <span aria-hidden="true">{isAscending ? ' ▲' : ' ▼'}</span>}
    </th>
  )
}
