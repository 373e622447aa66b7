import { type Random, seededRandom, weights } from '../../demo/random.ts'

/** The fields of a served vehicle that the mix needs. */
export interface SampledVehicle {
  readonly make: string
  readonly model: string
  readonly color: string
  readonly fuelType: string
  readonly firstRegisteredAt: string | null
  readonly firstRegisteredInJerseyAt: string | null
}

export interface MixOptions {
  /** Some of the served vehicles, evenly spread over all. */
  readonly sample: readonly SampledVehicle[]
  /** The number of served vehicles. */
  readonly rows: number
  readonly count: number
  readonly seed: number
}

type Query = Readonly<Record<string, string>>
type Draw = (random: Random, vehicle: SampledVehicle) => Query

const PAGE_ROWS = 30

/** The kinds of queries of consumers, with their frequency. A vehicle from the sample gives the words. */
const KINDS = weights<Draw>([
  [(_, { make }) => ({ make: make.toLowerCase() }), 16],
  [(_, { model }) => ({ model: firstWord(model) }), 16],
  [(_, { make, color }) => ({ make, color }), 14],
  [(_, { model, color }) => ({ model: firstWord(model), color: color.toLowerCase() }), 12],
  [
    (random, vehicle) => ({
      fuelType: vehicle.fuelType,
      ...range(random, vehicle.firstRegisteredAt, 5 * 365),
    }),
    10,
  ],
  [(random, vehicle) => range(random, vehicle.firstRegisteredAt, 3 * 365), 8],
  [
    (random, vehicle) => ({
      ...range(random, vehicle.firstRegisteredInJerseyAt, 365),
      dateType: 'regInJersey',
    }),
    8,
  ],
  [(_, { make, model, color, fuelType }) => ({ make, model: firstWord(model), color, fuelType }), 8],
  [(random, { model }) => ({ model: part(random, firstWord(model)) }), 5],
  [random => ({ model: `zq${random.int(0, 999_999)}` }), 3],
  [() => ({}), 5],
])

/**
 * Addresses of `count` distinct vehicle queries like those of consumers. The same sample and seed give the same addresses.
 * Most pages are among the first ten, some are deep.
 */
export function vehicleMix({ sample, rows, count, seed }: MixOptions): string[] {
  const random = seededRandom(seed, 'mix')
  const addresses = new Set<string>()
  while (addresses.size < count) {
    const query = random.weighted(KINDS)(random, random.pick(sample))
    // A blank would match everything.
    if (Object.values(query).includes('')) continue
    const share = sample.filter(vehicle => matches(query, vehicle)).length / sample.length
    const pages = Math.max(1, Math.floor((share * rows) / PAGE_ROWS))
    const page = drawPage(random, pages)
    const text = new URLSearchParams({ ...query, ...(page === 1 ? {} : { page: String(page) }) }).toString()
    addresses.add(text === '' ? '/v1/vehicles' : `/v1/vehicles?${text}`)
  }
  return [...addresses]
}

function drawPage(random: Random, pages: number): number {
  const mark = random.next()
  if (mark < 0.4) return 1
  return random.int(1, mark < 0.9 ? Math.min(10, pages) : pages)
}

function matches(query: Query, vehicle: SampledVehicle): boolean {
  const words = (['make', 'model', 'color'] as const).every(name =>
    vehicle[name].toLowerCase().includes((query[name] ?? '').toLowerCase()),
  )
  if (!words || (query.fuelType !== undefined && query.fuelType !== vehicle.fuelType)) return false
  const { startDate, endDate } = query
  if (startDate === undefined || endDate === undefined) return true
  const day = query.dateType === 'regInJersey' ? vehicle.firstRegisteredInJerseyAt : vehicle.firstRegisteredAt
  return day !== null && day >= startDate && day.slice(0, 10) <= endDate
}

const firstWord = (model: string) => (model.split(' ')[0] ?? '').toLowerCase()

/** Two to four letters of a word. */
function part(random: Random, word: string): string {
  const length = Math.min(word.length, random.int(2, 4))
  const from = random.int(0, word.length - length)
  return word.slice(from, from + length)
}

const MS_A_DAY = 86_400_000

/** A range of at most `days` days around a date. */
function range(random: Random, date: string | null, days: number): Query {
  if (date === null) return { startDate: '' }
  const at = Date.parse(date)
  const day = (distance: number) => new Date(at + distance * MS_A_DAY).toISOString().slice(0, 10)
  const half = Math.floor(days / 2)
  return { startDate: day(-random.int(0, half)), endDate: day(random.int(0, half)) }
}
