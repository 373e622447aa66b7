import { notFound, type Problem } from '../../errors.ts'
import { nearest } from '../../values/text.ts'

/** The problem for a path that names no dataset. */
export const unknownDataset = (name: string, names: readonly string[]): Problem =>
  notFound('No dataset has this name.', {
    parameter: 'name',
    value: name,
    detail: 'is not the name of a dataset',
    allowed: `one of ${names.join(', ')}`,
    nearest: nearest(name, names),
  })
