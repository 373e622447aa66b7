import { type Dataset, type DatasetContext, shownFields } from '../../datasets/dataset.ts'
import { compareReleases } from '../../releases/diff/past.ts'
import { oncePerSnapshot, type Snapshot } from '../../releases/snapshots/snapshot.ts'
import type { Store } from '../../store/store.ts'
import type { Comparisons } from './comparisons.ts'

/** What a dataset was, as its routes see it; `snapshot` is the current one. */
export function pastOf(
  dataset: Dataset,
  { store, comparisons, snapshot }: { store: Store; comparisons: Comparisons; snapshot: () => Snapshot },
): DatasetContext['past'] {
  const { name } = dataset
  const fields = shownFields(dataset)
  const kept = oncePerSnapshot(() => store.releases.list(name))
  return {
    kept: async () => kept(snapshot()),
    compare: (sides, use) => compareReleases(store, dataset, fields, sides, use),
    writeApart: (sides, format) => comparisons.open({ dataset: name, ...sides, format }),
  }
}
