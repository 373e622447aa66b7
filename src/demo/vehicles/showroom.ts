import { memoise } from '../../values/memoise.ts'
import { type Weighted, weights } from '../random.ts'
import { type Curve, list, valueAt } from '../tables.ts'
import { CARS_OF_ASIA_AND_AMERICA } from './makes/cars-of-asia-and-america.ts'
import { CARS_OF_BRITAIN } from './makes/cars-of-britain.ts'
import { CARS_OF_EUROPE } from './makes/cars-of-europe.ts'
import { LORRIES, STEAM_ENGINES, TRACTORS } from './makes/heavy-vehicles.ts'
import { MOTORCYCLES } from './makes/motorcycles.ts'
import { VANS } from './makes/vans.ts'
import { FUEL_LETTERS, FUELS, type Fuel, KINDS, type Kind } from './vehicle-tables.ts'

const KIND_CURVES = Object.entries(KINDS) as [Kind, Curve][]

/** The vehicles sold in a year. */
export type Showroom = ReturnType<typeof showroom>

/** Returns a memoised function from a year to its showroom. */
export function showrooms(): (year: number) => Showroom {
  const models = readModels()
  return memoise(year => showroom(models, year))
}

function readModels(): Readonly<Record<Kind, readonly Model[]>> {
  return {
    car: [CARS_OF_EUROPE, CARS_OF_BRITAIN, CARS_OF_ASIA_AND_AMERICA].flatMap(cars =>
      readMakes(cars, ['P', 'D']),
    ),
    motorcycle: readMakes(MOTORCYCLES, ['P']),
    van: readMakes(VANS, ['D']),
    lorry: readMakes(LORRIES, ['D']),
    tractor: readMakes(TRACTORS, ['D']),
    steam: readMakes(STEAM_ENGINES, ['S']),
  }
}

function showroom(models: Readonly<Record<Kind, readonly Model[]>>, year: number) {
  const pool = (kind: Kind, letter: FuelLetter) =>
    byShare(
      models[kind].filter(({ from, to, fuels }) => from <= year && year <= to && fuels.includes(letter)),
    )
  const byKind = memoise((kind: Kind) => memoise((letter: FuelLetter) => pool(kind, letter)))
  const modelsWith = (kind: Kind, fuel: Fuel) => byKind(kind)(FUEL_LETTERS[fuel])
  const fuels = memoise((kind: Kind) =>
    weights(fuelShares(kind, year).filter(([fuel]) => modelsWith(kind, fuel).items.length > 0)),
  )
  const sold = KIND_CURVES.filter(([kind]) => fuels(kind).items.length > 0)
  return {
    /** The kinds, the fuels of a kind, and the models of a kind with a fuel. */
    kinds: weights(sold.map(([kind, curve]) => [kind, valueAt(curve, year)])),
    fuels,
    models: modelsWith,
  }
}

/** The shares of fuels; petrol has the rest. */
function fuelShares(kind: Kind, year: number): [Fuel, number][] {
  const curves = Object.entries(FUELS[kind]) as [Fuel, Curve][]
  const others = curves.map(([fuel, curve]): [Fuel, number] => [fuel, valueAt(curve, year)])
  return [['Petrol', 100 - others.reduce((sum, [, share]) => sum + share, 0)], ...others]
}

/** Divides a make's share among its listed models. */
function byShare(models: readonly Model[]): Weighted<Model> {
  const ofMake = new Map<unknown, number>()
  for (const { make, popularity } of models) ofMake.set(make, (ofMake.get(make) ?? 0) + popularity)
  return weights(
    models.map(model => [model, (model.make.share * model.popularity) / (ofMake.get(model.make) ?? 1)]),
  )
}

/** Abbreviations of fuels in the tables: petrol, diesel ("heavy oil"), hybrid, electric, steam. */
export type FuelLetter = 'P' | 'D' | 'H' | 'E' | 'S'

/** A model, its years and its engines. */
export interface Model {
  readonly make: Make
  readonly name: string
  readonly from: number
  readonly to: number
  /** Cylinder capacities; none for electric and steam. */
  readonly capacities: readonly number[]
  readonly fuels: readonly FuelLetter[]
  /** Models at the head of their make's list sell best. */
  readonly popularity: number
}

/** A make among the vehicles of one kind. */
export interface Make {
  readonly name: string
  readonly share: number
  /** Trim names that follow its models' names. */
  readonly trims: readonly string[]
  /** Terms for its diesels. */
  readonly diesel: readonly string[]
}

const BLOCK_START = /\n(?=\S)/
const MODEL = /^(.+)@(\d{4})(-\d{4})?(?::([\d/]+))?(?: ([PDHES]+))?$/
const STILL_SOLD = 9999

/**
 * Reads a table of makes. A make is `name | share | trims | models`, or `name | share | trims | words for diesels | models`,
 * its lines after the first indented. A model is `NAME@first-last:capacity/capacity FUELS`, with a semicolon to the next:
 * without the last year it is still sold, without fuels it has the table's usual ones.
 */
function readMakes(table: string, usualFuels: readonly FuelLetter[]): Model[] {
  return table
    .trim()
    .split(BLOCK_START)
    .flatMap(block => readMake(block, usualFuels))
}

function readMake(block: string, usualFuels: readonly FuelLetter[]): Model[] {
  const [name = '', share, trims = '', ...rest] = list(block, '|')
  const models = list(rest.pop() ?? '', ';')
  const make = { name, share: Number(share), trims: list(trims), diesel: list(rest[0] ?? '') }
  return models.map((model, index) => readModel(model, make, usualFuels, 1 / (1 + index * 0.35)))
}

function readModel(text: string, make: Make, usualFuels: readonly FuelLetter[], popularity: number): Model {
  const [, name, from, to, capacities = '', fuels] = MODEL.exec(text) ?? []
  if (name === undefined) throw new Error(`cannot read the model "${text}" of ${make.name}`)
  return {
    make,
    name,
    from: Number(from),
    to: to === undefined ? STILL_SOLD : Number(to.slice(1)),
    capacities: list(capacities, '/').map(Number),
    fuels: fuels === undefined ? usualFuels : ([...fuels] as FuelLetter[]),
    popularity,
  }
}
