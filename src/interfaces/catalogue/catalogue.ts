import type { Dataset } from '../../datasets/dataset.ts'
import type { Metadata } from '../../datasets/metadata.ts'
import type { RecordFormat } from '../../formats/format.ts'
import type { Route } from '../../http/routing/router.ts'
import { oncePerSnapshot } from '../../releases/snapshots/snapshot.ts'
import type { Snapshots } from '../../releases/snapshots/snapshots.ts'
import { datasetNamed } from './dataset-named.ts'
import { type DatasetDescription, describeDataset } from './description.ts'
import { type CatalogueEntry, entryOf } from './entry.ts'
import { profileOf } from './profile.ts'

export interface CatalogueOptions {
  readonly datasets: readonly Dataset[]
  readonly snapshots: Snapshots
  /** The datasets that the operator has taken out of service. */
  readonly unavailable: ReadonlySet<string>
  readonly metadata: Metadata
  /** The formats in which lists are served besides JSON. */
  readonly formats: readonly RecordFormat[]
  /** All routes of the service, read at each use. */
  readonly routes: readonly Route[]
  /** When a dataset's source last gave what is published, ISO 8601 UTC; null where none is followed. */
  readonly sourceCheckedAt: (dataset: string) => string | null
}

/** What the service says of its datasets. */
export interface Catalogue {
  /** The names of the datasets, in the order in which the service presents them. */
  readonly names: readonly string[]
  /** Every dataset in short. */
  entries(): CatalogueEntry[]
  /** The dataset of a name in detail. Its release is read at the first call alone. Throws NOT_FOUND for another name. */
  describe(name: string | undefined): Promise<DatasetDescription>
}

/** Creates the catalogue of the datasets. */
export function createCatalogue(options: CatalogueOptions): Catalogue {
  const { datasets, snapshots, formats, routes, sourceCheckedAt } = options
  const profiled = datasets.map(dataset => ({
    ...{ dataset, profile: oncePerSnapshot(snapshot => profileOf(dataset, snapshot)) },
  }))
  return {
    names: datasets.map(({ name }) => name),
    entries: () => datasets.map(dataset => entryOf(dataset, options)),
    async describe(name) {
      const { dataset, profile } = datasetNamed(profiled, name)
      const snapshot = snapshots.get(dataset.name)
      const entry = entryOf(dataset, options)
      return describeDataset(dataset, entry, {
        ...{ release: snapshot?.release, formats, routes },
        ...{ sourceCheckedAt: sourceCheckedAt(dataset.name), now: Date.now() },
        profile: snapshot && (await profile(snapshot)),
      })
    },
  }
}
