import type { components } from '../../../../client/src/schema.ts'
import type { LoadRequest } from '../../page.ts'
import { type Failure, isFailure, resultOf } from '../../parts/failed-request.tsx'

type Schemas = components['schemas']

/** A dataset with its files and releases, which are undefined while the dataset is not available. */
export type DatasetPage = Exclude<Awaited<ReturnType<typeof loadDataset>>, Failure>

/** Gets a dataset, or the failure for an unknown name. */
export async function loadDataset({ params: { dataset: name = '' }, get }: LoadRequest) {
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
    // The months of parking history; undefined for other datasets.
    history: isFailure(files) ? undefined : files.history,
  }
}
