import { memoise } from '../../src/values/memoise.ts'
import { DAY_MS } from '../../src/values/time-units.ts'
import { LAST_DAY } from '../island-facts.ts'
import { type Random, seededRandom, weights } from '../random.ts'
import { valueAt } from '../tables.ts'
import { type Model, type Showroom, showrooms } from './showroom.ts'
import { BODIES, COLOURS_NOW, COLOURS_THEN, type Fuel, type Kind, REGISTRATIONS } from './vehicle-tables.ts'

export const VEHICLE_COUNT = 131_000
const HEADER = "MAKE,MODEL,COLOUR,CYLINDER CAPACITY,WEIGHT,CO2,FUEL TYPE,FIRST REGISTERED,REG'D IN JERSEY"
const ROWS_A_CHUNK = 1000
const FIRST_YEAR = 1920
/** More days than the register has. */
const MOST_DAYS = 50_000
const LAST = Date.parse(LAST_DAY) / DAY_MS
const YEARS = weights(
  Array.from({ length: Number(LAST_DAY.slice(0, 4)) - FIRST_YEAR + 1 }, (_, i) => {
    const year = FIRST_YEAR + i
    return [year, valueAt(REGISTRATIONS, year)]
  }),
)

/** A day since 1970-01-01 as DD/MM/YYYY. */
const dayText = memoise(
  (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10).split('-').reverse().join('/'),
  MOST_DAYS,
)

/** The island's register in the form of the government's CSV: the same columns, dates as DD/MM/YYYY, and blanks. */
export function* vehiclesCsv(seed: number): Generator<string> {
  const random = seededRandom(seed, 'vehicles')
  const showroomOf = showrooms()
  let chunk = `${HEADER}\n`
  for (let row = 1; row <= VEHICLE_COUNT; row++) {
    const year = random.weighted(YEARS)
    chunk += `${vehicle(random, year, showroomOf(year))}\n`
    if (row % ROWS_A_CHUNK !== 0 && row !== VEHICLE_COUNT) continue
    yield chunk
    chunk = ''
  }
}

function vehicle(random: Random, year: number, showroom: Showroom): string {
  const kind = random.weighted(showroom.kinds)
  const fuel = random.weighted(showroom.fuels(kind))
  const model = random.weighted(showroom.models(kind, fuel))
  const capacity = capacityOf(random, model, fuel)
  const first = registrationDay(random, year)
  const here = dayHere(random, first, year)
  return [
    model.make.name,
    quoted(modelText(random, kind, model, fuel, year, capacity)),
    random.weighted(random.next() * 35 < year - 1985 ? COLOURS_NOW : COLOURS_THEN),
    random.chance(0.0005) || fuel === 'Steam' ? '' : capacity,
    weight(random, kind),
    co2(random, kind, fuel, year, capacity),
    fuel,
    dayText(first),
    here === undefined ? '' : dayText(here),
  ].join(',')
}

/** Diesels have the larger of a model's engines. For electric vehicles, the register writes 0. */
function capacityOf(random: Random, { cc }: Model, fuel: Fuel): number {
  if (cc.length === 0) return 0
  const large = fuel === 'Heavy Oil' ? cc.filter(capacity => capacity >= 1240) : cc
  return random.pick(large.length > 0 ? large : cc)
}

function registrationDay(random: Random, year: number): number {
  const firstOfYear = Date.UTC(year, 0, 1) / DAY_MS
  return workday(firstOfYear + random.int(0, 363))
}

/** The day of registration on the island. Most vehicles were new here, others came later, a few after decades. Few dates are blank. */
function dayHere(random: Random, first: number, year: number): number | undefined {
  if (random.chance(0.001)) return undefined
  if (random.chance(year < 1975 ? 0.25 : 0.58)) return first
  const share = random.next()
  const longest = year < 1975 ? 50 * 365 : 12 * 365
  const day = workday(first + 20 + Math.floor(share * share * longest))
  return day <= LAST ? day : first
}

/** No vehicle is registered on a Sunday. Day 0, 1 January 1970, was a Thursday. */
function workday(day: number): number {
  return (day + 4) % 7 === 0 ? day + 1 : day
}

/** The register rarely has a weight, mostly for heavy vehicles. */
function weight(random: Random, kind: Kind): number | '' {
  if (!random.chance(isHeavy(kind) ? 0.3 : 0.01)) return ''
  return isHeavy(kind) ? random.int(32, 180) * 100 : random.int(45, 140) * 20
}

const isHeavy = (kind: Kind) => kind === 'lorry' || kind === 'tractor' || kind === 'steam'

/** Never recorded before 2002 or for heavy vehicles. Recorded for most cars from 2008 on. */
function co2(random: Random, kind: Kind, fuel: Fuel, year: number, capacity: number): number | '' {
  if (isHeavy(kind)) return ''
  const noted = kind === 'car' ? (year - 2001) * 0.14 : (year - 2010) * 0.06
  if (!random.chance(Math.min(noted, kind === 'car' ? 0.95 : 0.5))) return ''
  if (fuel === 'Electric') return 0
  const thrift = 1 - Math.max(0, year - 2004) * 0.009
  const burnt = kind === 'motorcycle' ? 45 + capacity * 0.08 : (72 + capacity * 0.058) * thrift
  return Math.round(burnt * burnShare(fuel) * (0.9 + random.next() * 0.2))
}

function burnShare(fuel: Fuel): number {
  if (fuel === 'Hybrid Electric' || fuel === 'Diesel Electric') return 0.66
  return fuel === 'Heavy Oil' ? 0.87 : 1
}

function quoted(text: string): string {
  return text.includes(',') || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text
}

/** The register truncates a model's text to this length. */
const LONGEST = 30

/**
 * A model as clerks type it: the name, then perhaps the engine, a trim and a body. So one model has many spellings. A few
 * are in lower case, a few contain a comma, and very few are blank.
 */
function modelText(
  random: Random,
  kind: Kind,
  model: Model,
  fuel: Fuel,
  year: number,
  capacity: number,
): string {
  const oddity = random.next()
  if (oddity < 0.0002) return ''
  const words = [model.name, ...(kind === 'car' ? carWords(random, model, fuel, year, capacity) : [])]
  if (kind !== 'car' && random.chance(0.75)) words.push(random.pick(model.make.trims))
  if (kind === 'van' && random.chance(0.5) && model.make.diesel.length > 0 && fuel === 'Heavy Oil')
    words.push(random.pick(model.make.diesel))
  const text = words
    .join(oddity < 0.001 ? ',' : ' ')
    .slice(0, LONGEST)
    .trimEnd()
  return oddity > 0.994 ? text.toLowerCase() : text
}

function carWords(random: Random, { make }: Model, fuel: Fuel, year: number, capacity: number): string[] {
  const words: string[] = []
  if (capacity > 0 && year >= 1965 && random.chance(0.5)) words.push((capacity / 1000).toFixed(1))
  if (random.chance(0.7)) words.push(random.pick(make.trims))
  if (fuel === 'Heavy Oil' && make.diesel.length > 0 && random.chance(0.65))
    words.push(random.pick(make.diesel))
  if (fuel === 'Hybrid Electric' && random.chance(0.2)) words.push('HYBRID')
  if (year >= 1975 && random.chance(0.3)) words.push(random.pick(BODIES))
  return words
}
