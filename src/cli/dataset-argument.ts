import type { Dataset } from '../datasets/dataset.ts'
import { DATASETS } from '../datasets/index.ts'
import { nearest } from '../values/nearest.ts'
import { UsageError } from './cli.ts'

/** The dataset of that name. Throws {@link UsageError} with the nearest name and all names, including `others`. */
export function datasetNamed(name: string, others: readonly string[] = []): Dataset {
  const dataset = DATASETS.find(each => each.name === name)
  if (dataset !== undefined) return dataset
  const names = [...DATASETS.map(each => each.name), ...others]
  const meant = nearest(name, names)
  const hint = meant === undefined ? '' : `did you mean ${meant}? `
  throw new UsageError(`there is no dataset "${name}": ${hint}Datasets: ${names.join(', ')}`)
}
