import { spelt } from '../../places/enumerations.ts'
import { vehicles } from '../../texts/en/vehicles.ts'
import { text } from '../../texts/text.ts'
import { calendarDate } from '../../words/island-time.ts'
import { askedFor, filtersOf, type Question, yearOf } from './question.ts'

/** The names of fuels. The register may have other fuels. */
const FUELS: Readonly<Record<string, string>> = vehicles.fuels

/** A fuel in words. A value that is not a constant stays. */
export const fuelInWords = (value: string): string =>
  FUELS[value] ?? (/^[A-Z_]+$/.test(value) ? spelt(value) : value)

/** The parameters as the page names them. */
export const LABELS: Readonly<Record<string, string>> = vehicles.labels

/** The value of a filter in words. */
export function filterInWords(name: string, value: string): string {
  return text(vehicles.filter, { name: LABELS[name] ?? name, value: valueInWords(name, value) })
}

/** A question in words. The date that it counts by is named if it is not obvious. */
export function questionInWords(question: Question, isDateNamed: boolean): string {
  const year = yearOf(question)
  const [from, until] = [askedFor(question, 'startDate'), askedFor(question, 'endDate')]
  const isWholeYear = from === `${year}-01-01` && until === `${year}-12-31`
  const filters = filtersOf(question)
    .filter(([name]) => !isWholeYear || !name.endsWith('Date'))
    .map(([name, value]) => filterInWords(name, value))
  const { here, first } = vehicles.dates
  const date = askedFor(question, 'dateType') === 'regInJersey' ? here : first
  const words = [...filters, ...(isWholeYear ? [year] : []), ...(isDateNamed ? [date] : [])]
  return words.length === 0 ? vehicles.whole : words.join(', ')
}

function valueInWords(name: string, value: string): string {
  if (name === 'fuelType') return fuelInWords(value)
  if (name === 'hash') return `${value.slice(0, 12)}…`
  const isDate =
    name.endsWith('Date') && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
  return isDate ? calendarDate(value) : value
}

/** The orders that the page offers. */
export const ORDERS: readonly (readonly [value: string, label: string])[] = [
  ['', vehicles.orders.newestOnIsland],
  ['firstRegisteredInJerseyAt', vehicles.orders.longestOnIsland],
  ['-firstRegisteredAt', vehicles.orders.newest],
  ['firstRegisteredAt', vehicles.orders.oldest],
  ['make,model', vehicles.orders.make],
  ['-cylinderCapacity', vehicles.orders.largest],
  ['cylinderCapacity', vehicles.orders.smallest],
  ['-weight', vehicles.orders.heaviest],
  ['co2Emissions', vehicles.orders.leastCo2],
  ['-co2Emissions', vehicles.orders.mostCo2],
]
