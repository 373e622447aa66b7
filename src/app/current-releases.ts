import type { Logger } from 'pino'
import { type Config, ConfigError } from '../config.ts'
import type { Dataset } from '../datasets/dataset.ts'
import { DATASETS } from '../datasets/index.ts'
import { followStore, type Snapshots } from '../releases/snapshots/snapshots.ts'
import type { Store } from '../store/store.ts'
import { suggestion } from '../values/text.ts'

interface CurrentReleasesOptions {
  readonly config: Config
  readonly store: Store
  readonly log: Logger
  readonly datasets?: readonly Dataset[]
}

/** Follows the current releases of all datasets. Throws {@link ConfigError} if the configuration names an unknown dataset. */
export function followCurrentReleases({
  config,
  store,
  log,
  datasets = DATASETS,
}: CurrentReleasesOptions): Snapshots {
  requireKnownDatasets(config.UNAVAILABLE_DATASETS)
  return followStore({ store, datasets, log, tables: config.TABLE_ENGINE })
}

/** Throws for a misspelt name: otherwise the dataset that the operator meant would still be served. */
function requireKnownDatasets(names: readonly string[]): void {
  const known = DATASETS.map(({ name }) => name)
  const unknown = names.find(name => !known.includes(name))
  if (unknown === undefined) return
  const hint = suggestion(unknown, known, meant => ` (did you mean ${meant}?)`)
  throw new ConfigError(
    `UNAVAILABLE_DATASETS names "${unknown.slice(0, 100)}", which is not a dataset${hint}; allowed: ${known.join(', ')}, joined by commas`,
  )
}
