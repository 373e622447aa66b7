import { list } from '../../tables.ts'

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
export function readMakes(table: string, usualFuels: readonly FuelLetter[]): Model[] {
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
