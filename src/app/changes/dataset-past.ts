import { type Dataset, type DatasetContext, shownFields } from '../../datasets/dataset.ts'
import { withDiff } from '../../releases/diff/diff.ts'
import { oncePerSnapshot } from '../../releases/snapshots/snapshot.ts'
import type { Store } from '../../store/store.ts'
import type { Comparisons } from './comparisons.ts'

/** What a dataset was, as its routes see it. */
export function pastOf(
  dataset: Dataset,
  {
    store,
    comparisons,
    snapshotIfAny,
  }: Pick<DatasetContext, 'snapshotIfAny'> & {
    store: Store
    comparisons: Comparisons
  },
): DatasetContext['past'] {
  const { name } = dataset
  const fields = shownFields(dataset)
  const kept = oncePerSnapshot(() => store.releases.list(name))
  return {
    async kept() {
      const served = snapshotIfAny()
      return served === undefined ? [] : kept(served)
    },
    compare: (sides, use) =>
      withDiff({ store, dataset, fields, ...sides }, ({ differences }) => use(differences)),
    writeApart: (sides, format) => comparisons.open({ dataset: name, ...sides, format }),
  }
}
