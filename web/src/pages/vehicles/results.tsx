import type { components } from '../../../../client/src/schema.ts'
import { vehicles as texts } from '../../texts/en/vehicles.ts'
import { text } from '../../texts/text.ts'
import { calendarDate } from '../../words/island-time.ts'
import { grouped } from '../../words/numbers.ts'
import { askedFor, changed, linkTo, type Question } from './question.ts'
import { fuelInWords } from './words.ts'

type Vehicle = components['schemas']['Vehicle']

interface Column {
  readonly label: string
  /** The field to sort by. */
  readonly sort: keyof Vehicle
  /** Writes the value, or undefined for a blank. */
  readonly write: (vehicle: Vehicle) => string | undefined
  readonly kind?: 'number' | 'date'
}

type AmountField = 'cylinderCapacity' | 'weight' | 'co2Emissions'
type DateField = 'firstRegisteredAt' | 'firstRegisteredInJerseyAt'
type AmountMessage = (typeof texts)['capacity' | 'weight' | 'emissions']

const amountColumn = (sort: AmountField, label: string, message: AmountMessage): Column => ({
  ...{ label, sort, kind: 'number' },
  write: ({ [sort]: amount }) => (amount === null ? undefined : text(message, { amount: grouped(amount) })),
})
const dateColumn = (sort: DateField, label: string): Column => ({
  ...{ label, sort, kind: 'date' },
  write: ({ [sort]: midnight }) => (midnight === null ? undefined : calendarDate(midnight)),
})

const COLUMNS: readonly Column[] = [
  { label: texts.columns.color, sort: 'color', write: ({ color }) => color },
  { label: texts.columns.fuel, sort: 'fuelType', write: ({ fuelType }) => fuelInWords(fuelType) },
  amountColumn('cylinderCapacity', texts.columns.engine, texts.capacity),
  amountColumn('weight', texts.columns.weight, texts.weight),
  amountColumn('co2Emissions', texts.columns.co2, texts.emissions),
  dateColumn('firstRegisteredAt', texts.columns.firstRegistered),
  dateColumn('firstRegisteredInJerseyAt', texts.columns.here),
]

interface ResultsProps {
  readonly vehicles: readonly Vehicle[]
  readonly asked: Question
}

/** The vehicles as a table, or as cards in a narrow window. Columns without any value are left out. */
export function Results({ vehicles, asked }: ResultsProps) {
  const columns = COLUMNS.filter(({ write }) => vehicles.some(vehicle => write(vehicle) !== undefined))
  return (
    <table class="vehicles" aria-labelledby="rows">
      <thead>
        <tr>
          <Heading label={texts.vehicle} sort="make" asked={asked} />
          {columns.map(({ label, sort, kind }) => (
            <Heading key={sort} label={label} sort={sort} asked={asked} kind={kind} />
          ))}
        </tr>
      </thead>
      <tbody>
        {vehicles.map((vehicle, index) => (
          // Equal vehicles share a fingerprint, so the key is the index.
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

/** The heading of a column. A press sorts by it, and another press reverses the order. */
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
      <a href={`${linkTo(changed(asked, { sort: next }))}#rows`}>{label}</a>
      {(isAscending || isDescending) && <span aria-hidden="true">{isAscending ? ' ▲' : ' ▼'}</span>}
    </th>
  )
}
