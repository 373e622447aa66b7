import { notFound } from '../../errors.ts'
import { nearest } from '../../values/text.ts'

/** Finds the entry of the dataset that a path names. Throws NOT_FOUND if no dataset has the name. */
export const datasetNamed = <T extends { readonly dataset: { readonly name: string } }>(
  all: readonly T[],
  name = '',
): T => oneNamed(all, name, ({ dataset }) => dataset.name, DATASET)

const DATASET = {
  problem: 'No dataset has this name.',
  parameter: 'name',
  detail: 'is not the name of a dataset',
}

/** Finds the item with a name. Throws NOT_FOUND, with all names and the nearest. */
export function oneNamed<T>(
  all: readonly T[],
  value: string,
  nameOf: (one: T) => string,
  { problem, parameter, detail }: Readonly<Record<'problem' | 'parameter' | 'detail', string>>,
): T {
  const found = all.find(one => nameOf(one) === value)
  if (found !== undefined) return found
  const names = all.map(nameOf)
  const allowed = `one of ${names.join(', ')}`
  throw notFound(problem, { parameter, value, detail, allowed, nearest: nearest(value, names) })
}
