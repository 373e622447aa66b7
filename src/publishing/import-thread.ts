import type { Config } from '../config.ts'
import type { Correction } from '../releases/import/corrections.ts'
import type { ImportOptions } from '../releases/import/import.ts'
import type { FollowOptions } from '../releases/schedule/follow-sources.ts'
import type { ImportedSource, KnownSource } from '../releases/schedule/import-source.ts'
import { type StoreOptions, storeOptions } from '../store/engine.ts'
import type { ConfiguredSource, SourceEntry } from './sources-file.ts'
import { runInThread } from './threads.ts'

/** The task of the worker thread. */
export interface SourceTask extends Pick<StoreOptions, 'tables' | 'keep'> {
  readonly databaseUrl: string
  readonly entry: SourceEntry
  readonly corrections: readonly Correction[]
  readonly known: KnownSource
  readonly accepted?: Accepted | undefined
}

/** The checks that an operator accepts for records with a hash. `at` is the time of their new ids (ISO 8601 UTC). */
export type Accepted = Pick<ImportOptions, 'accept' | 'onlyHash'> & { readonly at: string }

/**
 * Returns the function that imports a source in a worker thread, because parsing, validating and the embedded store would
 * block the event loop. The thread has ended when the function settles.
 */
export function importInThread(
  config: Pick<Config, 'DATABASE_URL' | 'TABLE_ENGINE' | 'TABLE_PRERENDER_MB' | 'KEEP_RELEASES'>,
  sources: readonly ConfiguredSource[],
): (...of: [...Parameters<FollowOptions['importSource']>, accepted?: Accepted]) => Promise<ImportedSource> {
  return async (dataset, known, signal, accepted) => {
    const source = sources.find(each => each.dataset === dataset)
    if (source === undefined) throw new TypeError(`${dataset} has no source`)
    const { entry, corrections } = source
    const { DATABASE_URL: databaseUrl } = config
    const task: SourceTask = { databaseUrl, ...storeOptions(config), entry, corrections, known, accepted }
    const module = new URL('./import-worker', import.meta.url)
    return runInThread<ImportedSource>(module, task, signal).finally(() => signal.throwIfAborted())
  }
}
