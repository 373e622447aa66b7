import { notFound } from '../../errors.ts'
import { nearest } from '../../values/text.ts'

/** Finds what belongs to the dataset that a path names. Throws NOT_FOUND where no dataset has the name. */
export function datasetNamed<T extends { readonly dataset: { readonly name: string } }>(
  all: readonly T[],
  name = '',
): T {
  const found = all.find(({ dataset }) => dataset.name === name)
  if (found !== undefined) return found
  const names = all.map(({ dataset }) => dataset.name)
  throw notFound('No dataset has this name.', {
    parameter: 'name',
    value: name,
    detail: 'is not the name of a dataset',
    allowed: `one of ${names.join(', ')}`,
    nearest: nearest(name, names),
  })
}
