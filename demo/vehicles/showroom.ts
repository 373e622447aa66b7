import { memoise } from '../../src/values/memoise.ts'
import { type Weighted, weights } from '../random.ts'
import { type Curve, list, valueAt } from '../tables.ts'
import makes from './makes.json' with { type: 'json' }
import { FUEL_LETTERS, FUELS, type Fuel, KINDS, type Kind } from './vehicle-tables.ts'

const KIND_CURVES = Object.entries(KINDS) as [Kind, Curve][]

/** The vehicles sold in a year. */
export type Showroom = ReturnType<typeof showroom>

/** Returns a memoised function from a year to its showroom. */
export function showrooms(): (year: number) => Showroom {
  const ofKind = memoise((kind: Kind) => MAKES[kind].flatMap(modelsOf))
  return memoise(year => showroom(ofKind, year))
}

function showroom(ofKind: (kind: Kind) => readonly Model[], year: number) {
  const pool = (kind: Kind, letter: string) =>
    byShare(
      ofKind(kind).filter(({ from, to, fuels }) => from <= year && year <= to && fuels.includes(letter)),
    )
  const byKind = memoise((kind: Kind) => memoise((letter: string) => pool(kind, letter)))
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

/** The shares of fuels. Petrol has the rest. */
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

/** A make of vehicles of one kind, from `makes.json`. */
interface ListedMake {
  readonly name: string
  readonly share: number
  /** Names of trims, written after names of models. */
  readonly trims: string
  /** The make's terms for diesels. */
  readonly diesel: string
  /** The first models of the list sell best. */
  readonly models: readonly {
    readonly name: string
    /** The first and the last year. A model without a last year is still sold. */
    readonly years: readonly number[]
    /** Letters of fuels: petrol, diesel ("heavy oil"), hybrid, electric, steam. */
    readonly fuels: string
    /** Cylinder capacities; empty for electric and steam. */
    readonly cc: readonly number[]
  }[]
}

const MAKES: Readonly<Record<Kind, readonly ListedMake[]>> = makes

/** A model, its years and its engines. */
export type Model = ReturnType<typeof modelsOf>[number]

function modelsOf({ name, share, trims, diesel, models }: ListedMake) {
  const make = { name, share, trims: list(trims), diesel: list(diesel) }
  return models.map(({ name, years: [from = 0, to = Number.POSITIVE_INFINITY], fuels, cc }, index) => ({
    make,
    name,
    from,
    to,
    fuels,
    cc,
    popularity: 1 / (1 + index * 0.35),
  }))
}
