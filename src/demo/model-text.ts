import type { Model } from './makes/make-table.ts'
import type { Random } from './random.ts'
import { BODIES, type Fuel, type Kind } from './vehicle-tables.ts'

/** The register truncates a model's text to this length. */
const LONGEST = 30

/**
 * A model as clerks type it: the name, then perhaps the engine, a trim and a body, so that one model has many
 * spellings. A few are in lower case, a few contain a comma, and hardly any is blank.
 */
export function modelText(
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
