import { createHash } from 'node:crypto'
import { searchedText } from '../support/searched-text.ts'
import { dateOf, type ModelQuery, wholeNumber } from './query-model.ts'
import { STATS_PARAMETERS } from './stats-model.ts'

/*
 * The rules of the vehicles once more, written plainly over a list in memory: the service's responses must equal these,
 * byte for byte.
 */

/** A vehicle as it is imported and served. */
export interface ModelVehicle {
  readonly make: string
  readonly model: string
  readonly color: string
  readonly cylinderCapacity: number | null
  readonly weight: number | null
  readonly co2Emissions: number | null
  readonly fuelType: string
  readonly firstRegisteredAt: string | null
  readonly firstRegisteredInJerseyAt: string | null
}

const KNOWN_FUELS =
  'PETROL HEAVY_OIL ELECTRIC HYBRID_ELECTRIC GAS DIESEL_ELECTRIC GAS_BI_FUEL STEAM UNKNOWN'.split(' ')
const DATES = ['startDate', 'endDate', 'dateType']
const TEXTS = ['make', 'model', 'color'] as const
export const RANGES = {
  CylinderCapacity: 'cylinderCapacity',
  Weight: 'weight',
  Co2Emissions: 'co2Emissions',
} as const
const SORTED = [
  ...TEXTS,
  ...Object.values(RANGES),
  'fuelType',
  'firstRegisteredAt',
  'firstRegisteredInJerseyAt',
]

/** The body of a page of vehicles, or undefined where the query is wrong. */
export function listOfVehicles(vehicles: readonly ModelVehicle[], query: ModelQuery): string | undefined {
  const page = wholeNumber(query.get('page') ?? '1', 1_000_000_000)
  const limit = wholeNumber(query.get('limit') ?? '30', 1000)
  const wanted = selectedVehicles(vehicles, query)
  const sort = sortOf(query.get('sort'), SORTED)
  if (page === undefined || limit === undefined || wanted === undefined || sort === undefined)
    return undefined
  const served = [...wanted].sort((a, b) => newest(b) - newest(a)).sort(sort)
  const results = served.slice((page - 1) * limit, page * limit)
  const pagination = { page, limit, totalPages: Math.ceil(served.length / limit), totalItems: served.length }
  return JSON.stringify({
    pagination,
    results: results.map(vehicle => ({ ...vehicle, hash: hash(vehicle) })),
  })
}

/** The vehicles that a query selects, or undefined where it is wrong. */
export function selectedVehicles(
  vehicles: readonly ModelVehicle[],
  query: ModelQuery,
): readonly ModelVehicle[] | undefined {
  const match = query.get('match') ?? 'contains'
  const found = inDates(vehicles, query)
  if (found === undefined || !RANGE_NAMES.every(name => isNumber(query.get(name) ?? '0'))) return undefined
  const wantedHash = query.get('hash')?.toLowerCase()
  if (wantedHash !== undefined && !/^[0-9a-f]{64}$/.test(wantedHash)) return undefined
  const q = query.get('q')
  const words = q === undefined ? [] : searchedWords(q)
  if (words === undefined) return undefined
  for (const name of Object.keys(RANGES)) {
    const [least, most] = [query.get(`min${name}`), query.get(`max${name}`)]
    if (least !== undefined && most !== undefined && Number(least) > Number(most)) return undefined
  }
  if (!['contains', 'exact'].includes(match)) return undefined
  const fuels = [...KNOWN_FUELS, ...vehicles.map(({ fuelType }) => fuelType)].map(upper)
  const sent = query.get('fuelType')
  const parts = (sent ?? '').split(',').map(upper)
  const wanted = fuels.includes(upper(sent ?? '')) ? [upper(sent ?? '')] : parts
  const isRepeated = new Set(wanted).size < wanted.length
  if (sent !== undefined && (isRepeated || !wanted.every(one => fuels.includes(one)))) return undefined
  for (const name of TEXTS) if (!isText(query.get(name) ?? '')) return undefined

  return found.filter(
    vehicle =>
      (wantedHash === undefined || hash(vehicle) === wantedHash) &&
      words.every(word =>
        ['make', 'model'].some(name => searchedText(String(vehicle[name as 'make'])).includes(word)),
      ) &&
      Object.entries(RANGES).every(([name, field]) => {
        const [least, most, value] = [query.get(`min${name}`), query.get(`max${name}`), vehicle[field]]
        if (least === undefined && most === undefined) return true
        return value !== null && value >= Number(least ?? -1e16) && value <= Number(most ?? 1e16)
      }) &&
      (sent === undefined || wanted.includes(upper(vehicle.fuelType))) &&
      TEXTS.every(name => {
        const [text, part] = [searchedText(vehicle[name]), query.get(name)]
        return (
          part === undefined ||
          (match === 'exact' ? text === searchedText(part) : text.includes(searchedText(part)))
        )
      }),
  )
}

/** The words to search, or undefined where there are none or too many. */
export function searchedWords(q: string): readonly string[] | undefined {
  const words = [...new Set(searchedText(q).match(/[\p{L}\p{N}]+/gu))]
  return words.length === 0 || words.length > 10 || !isText(q) ? undefined : words
}

const RANGE_NAMES = Object.keys(RANGES).flatMap(name => [`min${name}`, `max${name}`])
const isNumber = (text: string) => /^-?\d{1,15}(\.\d+)?$/.test(text)

/** The order that a query asks for, by some of the fields that can be sorted by, or undefined where it is wrong. */
export function sortOf(
  text: string | undefined,
  sortable: readonly string[],
): ((a: object, b: object) => number) | undefined {
  const keys = (text ?? '').split(',').flatMap(key => (key.trim() === '' ? [] : [key.trim()]))
  const names = keys.map(key => key.replace(/^-/, ''))
  const isWrong = text !== undefined && keys.length === 0
  if (isWrong || new Set(names).size < names.length || !names.every(name => sortable.includes(name)))
    return undefined
  const valueIn = (row: object, name: string) => (row as Record<string, string | null>)[name] ?? null
  return (a, b) => {
    for (const [at, name] of names.entries()) {
      const [one, other] = [valueIn(a, name), valueIn(b, name)]
      if (one === other) continue
      if (one === null || other === null) return one === null ? 1 : -1
      return one < other === keys[at]?.startsWith('-') ? 1 : -1
    }
    return 0
  }
}

/** The date that a query selects. */
export const dateField = (query: ModelQuery) =>
  query.get('dateType') === 'regInJersey' ? 'firstRegisteredInJerseyAt' : 'firstRegisteredAt'

/** The body of a count by make or colour, or undefined where the query is wrong. */
export function countOfVehicles(
  vehicles: readonly ModelVehicle[],
  field: 'make' | 'color',
  query: ModelQuery,
): string | undefined {
  const found = inDates(vehicles, query)
  if (found === undefined) return undefined
  const names = [...new Set(found.map(vehicle => vehicle[field]))].sort()
  const count = (name: string) => found.filter(vehicle => vehicle[field] === name).length
  const members = names
    .toSorted((a, b) => count(b) - count(a))
    .map(name => `${JSON.stringify(name)}:${count(name)}`)
  return `{"results":{${members.join(',')}}}`
}

function inDates(vehicles: readonly ModelVehicle[], query: ModelQuery): readonly ModelVehicle[] | undefined {
  const [start, end] = [query.get('startDate'), query.get('endDate')]
  const from = start === undefined ? '' : dateOf(start)
  const to = end === undefined ? '9999-99-99' : dateOf(end)
  if (from === undefined || to === undefined || from > to) return undefined
  if (start === undefined && end === undefined) return vehicles
  const field = dateField(query)
  return vehicles.filter(vehicle => {
    const day = vehicle[field]?.slice(0, 10)
    return day !== undefined && from <= day && day <= to
  })
}

/** Later is larger; a stable sort leaves the rest in the order of the source. */
const newest = ({ firstRegisteredInJerseyAt: at }: ModelVehicle) => (at === null ? -1e15 : Date.parse(at))

const upper = (word: string) => searchedText(word)

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
export const isText = (text: string) => text.length <= 100 && !/[\x00-\x1f\x7f]/.test(text)

function hash(vehicle: ModelVehicle): string {
  const day = (at: string | null) => at?.slice(0, 10).split('-').reverse().join('/') ?? 'NaN'
  const { make, fuelType, firstRegisteredAt, firstRegisteredInJerseyAt } = vehicle
  const numbers = [vehicle.cylinderCapacity, vehicle.co2Emissions].map(number => number ?? 'NaN')
  const parts = [make, fuelType, day(firstRegisteredAt), day(firstRegisteredInJerseyAt), ...numbers]
  return createHash('sha256').update(parts.join('-')).digest('hex')
}

/** The parameters of the list, and of the counts. */
const FILTERS = [...DATES, ...TEXTS, 'fuelType', 'match', ...RANGE_NAMES, 'hash', 'q']
export const VEHICLE_PARAMETERS = ['page', 'limit', ...FILTERS, 'sort']
export const VEHICLE_STATS_PARAMETERS = [...FILTERS, ...STATS_PARAMETERS]
export const COUNT_PARAMETERS = DATES
