import { memoise } from '../../values/memoise.ts'
import { type Weighted, weights } from '../random.ts'
import { type Curve, valueAt } from '../tables.ts'
import { CARS_OF_ASIA_AND_AMERICA } from './makes/cars-of-asia-and-america.ts'
import { CARS_OF_BRITAIN } from './makes/cars-of-britain.ts'
import { CARS_OF_EUROPE } from './makes/cars-of-europe.ts'
import { LORRIES, STEAM_ENGINES, TRACTORS } from './makes/heavy-vehicles.ts'
import { type FuelLetter, type Model, readMakes } from './makes/make-table.ts'
import { MOTORCYCLES } from './makes/motorcycles.ts'
import { VANS } from './makes/vans.ts'
import { FUEL_LETTERS, FUELS, type Fuel, KINDS, type Kind } from './vehicle-tables.ts'

/** The vehicles sold in a year: kinds, the fuels of a kind, and the models of a kind with a fuel. */
export interface Showroom {
  readonly kinds: Weighted<Kind>
  fuels(kind: Kind): Weighted<Fuel>
  models(kind: Kind, fuel: Fuel): Weighted<Model>
}

const KIND_CURVES = Object.entries(KINDS) as [Kind, Curve][]

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

function showroom(models: Readonly<Record<Kind, readonly Model[]>>, year: number): Showroom {
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
