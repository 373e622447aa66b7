import type { components } from '../../../../client/src/schema.ts'
import type { LoadRequest } from '../../page.ts'
import { type Failure, isFailure, resultOf } from '../../parts/failed-request.tsx'

type Schemas = components['schemas']

/** A dataset with its files and releases, which are undefined while the dataset is not available. */
export interface DatasetPage {
  readonly dataset: Schemas['DatasetDescription']
  readonly releases: readonly Schemas['KeptRelease'][] | undefined
  readonly files: readonly Schemas['BulkFile'][] | undefined
  /** The dataset as schema.org describes it. */
  readonly structured: object
}

/** Gets a dataset, or the failure for an unknown name. */
export async function loadDataset({
  params: { dataset: name = '' },
  get,
}: LoadRequest): Promise<DatasetPage | Failure> {
  const path = `/v1/datasets/${encodeURIComponent(name)}`
  const dataset = await resultOf(get<Schemas['DatasetDescription']>(path))
  if (isFailure(dataset)) return dataset
  const [releases, files, structured] = await Promise.all([
    resultOf(get<{ results: Schemas['KeptRelease'][] }>(`${path}/releases`)),
    resultOf(get<Schemas['BulkFiles']>(`${path}/files`)),
    get<object>(`${path}?format=jsonld&profile=schema.org`),
  ])
  return {
    ...{ dataset, structured },
    releases: isFailure(releases) ? undefined : releases.results,
    files: isFailure(files) ? undefined : files.files,
  }
}
