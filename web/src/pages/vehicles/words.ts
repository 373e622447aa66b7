import { calendarDate } from '../../words/island-time.ts'

/** Fuels as people call them; the register may have others. */
const FUELS: Readonly<Record<string, string>> = {
  PETROL: 'Petrol',
  HEAVY_OIL: 'Diesel',
  ELECTRIC: 'Electric',
  HYBRID_ELECTRIC: 'Hybrid',
  DIESEL_ELECTRIC: 'Diesel hybrid',
  GAS: 'Gas',
  GAS_BI_FUEL: 'Gas and another fuel',
  STEAM: 'Steam',
  UNKNOWN: 'Not known',
}

/** A fuel in words; a value that is no constant stays as it is. */
export const fuelInWords = (value: string): string =>
  FUELS[value] ?? (/^[A-Z_]+$/.test(value) ? inWords(value) : value)

/** A constant as a word: `TOWN_GAS` as `Town gas`. */
function inWords(value: string): string {
  const words = value.replaceAll('_', ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The parameters as the page names them. */
export const LABELS: Readonly<Record<string, string>> = {
  q: 'Words',
  make: 'Make',
  model: 'Model',
  color: 'Colour',
  fuelType: 'Fuel',
  startDate: 'Registered from',
  endDate: 'Registered until',
  minCylinderCapacity: 'Engine from, cm³',
  maxCylinderCapacity: 'Engine to, cm³',
  minWeight: 'Weight from, kg',
  maxWeight: 'Weight to, kg',
  minCo2Emissions: 'CO₂ from, g/km',
  maxCo2Emissions: 'CO₂ to, g/km',
  hash: 'Fingerprint',
}

/** The value of a filter in words. */
export function filterInWords(name: string, value: string): string {
  return `${LABELS[name] ?? name}: ${valueInWords(name, value)}`
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
  ['', 'Newest on the island first'],
  ['firstRegisteredInJerseyAt', 'Longest on the island first'],
  ['-firstRegisteredAt', 'Newest first'],
  ['firstRegisteredAt', 'Oldest first'],
  ['make,model', 'Make and model'],
  ['-cylinderCapacity', 'Largest engine first'],
  ['cylinderCapacity', 'Smallest engine first'],
  ['-weight', 'Heaviest first'],
  ['co2Emissions', 'Least CO₂ first'],
  ['-co2Emissions', 'Most CO₂ first'],
]
