import type { Config } from '../../config.ts'
import type { ImportOptions } from '../../releases/import/import.ts'
import type { FollowOptions } from '../../releases/schedule/follow-sources.ts'
import type { ImportedSource, KnownSource } from '../../releases/schedule/import-source.ts'
import { FetchError, type FetchErrorKind } from '../../sources/fetch/fetch-error.ts'
import { type TableOptions, tableOptions } from '../../store/engine.ts'
import { runInThread } from '../../values/thread.ts'
import { type ThreadFailure, thrownOf } from '../thread-failure.ts'
import type { ConfiguredSource, SourceEntry } from './sources-file.ts'

/** What the worker thread does. */
export interface SourceTask {
  readonly databaseUrl: string
  readonly tables: TableOptions
  readonly entry: SourceEntry
  readonly known: KnownSource
  readonly accepted?: Accepted | undefined
}

/** The checks that an operator accepts for records of a hash, whose new ids are of a time (ISO 8601 UTC). */
export type Accepted = Pick<ImportOptions, 'accept' | 'onlyHash'> & { readonly at: string }

/** What the worker thread posts. */
export type TaskOutcome = { readonly imported: ImportedSource } | { readonly failure: Failure }

interface Failure extends ThreadFailure {
  readonly fetch?: { readonly kind: FetchErrorKind; readonly retryAfterMs: number | undefined }
}

/**
 * Returns the function that imports a source in a worker thread, which has ended when this resolves or rejects: parsing
 * and validating would block the event loop, and so does the embedded store.
 */
export function importInThread(
  config: Pick<Config, 'DATABASE_URL' | 'TABLE_ENGINE' | 'TABLE_PRERENDER_MB'>,
  sources: readonly ConfiguredSource[],
): (...of: [...Parameters<FollowOptions['importSource']>, accepted?: Accepted]) => Promise<ImportedSource> {
  return async (dataset, known, signal, accepted) => {
    const entry = sources.find(source => source.dataset === dataset)?.entry
    if (entry === undefined) throw new TypeError(`${dataset} has no source`)
    const { DATABASE_URL: databaseUrl } = config
    const task: SourceTask = { databaseUrl, tables: tableOptions(config), entry, known, accepted }
    const outcome = await runInThread<TaskOutcome>(new URL('./import-worker', import.meta.url), task, signal)
    signal.throwIfAborted()
    if ('failure' in outcome) throw errorOf(outcome.failure)
    return outcome.imported
  }
}

function errorOf({ fetch, ...failure }: Failure): Error {
  if (fetch === undefined) return thrownOf(failure)
  return new FetchError(fetch.kind, failure.message, { retryAfterMs: fetch.retryAfterMs })
}
