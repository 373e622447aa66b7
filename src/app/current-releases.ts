import type { Logger } from 'pino'
import { type LoadIntoMemory, tableLoader } from '../columnar/table-engine.ts'
import { type Config, ConfigError } from '../config.ts'
import type { Dataset } from '../datasets/dataset.ts'
import { DATASETS } from '../datasets/index.ts'
import { followStore, type Snapshots } from '../releases/snapshots/snapshots.ts'
import type { Store } from '../store/store.ts'
import { nearest } from '../values/text.ts'

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

/**
 * Follows the current releases of all datasets, tables in memory where the configuration allows it. Throws
 * {@link ConfigError} where the configuration names a dataset that does not exist.
 */
export function followCurrentReleases(options: CurrentReleasesOptions): CurrentReleases {
  const { config, store, log, datasets = DATASETS, loadIntoMemory } = options
  requireKnownDatasets(config.UNAVAILABLE_DATASETS)
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

/** Throws for a misspelt name: otherwise the dataset that the operator meant would still be served. */
function requireKnownDatasets(names: readonly string[]): void {
  const known = DATASETS.map(({ name }) => name)
  const unknown = names.find(name => !known.includes(name))
  if (unknown === undefined) return
  const meant = nearest(unknown, known)
  const suggestion = meant === undefined ? '' : ` (did you mean ${meant}?)`
  throw new ConfigError(
    `UNAVAILABLE_DATASETS names "${unknown.slice(0, 100)}", which is not a dataset${suggestion}; allowed: ${known.join(', ')}, joined by commas`,
  )
}
