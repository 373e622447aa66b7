import type { Logger } from 'pino'
import { type LoadIntoMemory, tableLoader } from '../columnar/table-engine.ts'
import type { Config } from '../config.ts'
import type { Dataset } from '../datasets/dataset.ts'
import { DATASETS } from '../datasets/index.ts'
import { followStore, type Snapshots } from '../releases/snapshots/snapshots.ts'
import type { Store } from '../store/store.ts'

export interface CurrentReleasesOptions {
  readonly config: Config
  readonly store: Store
  readonly log: Logger
  readonly datasets?: readonly Dataset[]
  readonly loadIntoMemory?: LoadIntoMemory
}

export interface CurrentReleases extends Snapshots {
  /** Starts; resolves when worker threads build what takes long, so that this thread may do other work. */
  startLoading(): Promise<void>
}

/** Follows the current releases of all datasets, tables in memory where the configuration allows it. */
export function followCurrentReleases(options: CurrentReleasesOptions): CurrentReleases {
  const { config, store, log, datasets = DATASETS, loadIntoMemory } = options
  const open = tableLoader(config, log, loadIntoMemory)
  let noteLoading = () => {}
  const isLoading = new Promise<void>(resolve => {
    noteLoading = resolve
  })
  const loadTable: typeof open = (release, layout) => {
    const loaded = open(release, layout)
    noteLoading()
    return loaded
  }
  const snapshots = followStore({ store, datasets, log, loadTable })
  return { ...snapshots, startLoading: () => Promise.race([isLoading, snapshots.start()]) }
}
