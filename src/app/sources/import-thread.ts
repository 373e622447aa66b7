import type { Config } from '../../config.ts'
import type { FollowOptions } from '../../releases/schedule/follow-sources.ts'
import type { ImportedSource, KnownSource } from '../../releases/schedule/import-source.ts'
import { FetchError, type FetchErrorKind } from '../../sources/fetch/fetch-error.ts'
import { StoreBusyError, StoreUnusableError } from '../../store/store.ts'
import { startThread } from '../../values/thread.ts'
import type { ConfiguredSource, SourceEntry } from './sources-file.ts'

/** What the worker thread does. */
export interface SourceTask {
  readonly databaseUrl: string
  readonly entry: SourceEntry
  readonly known: KnownSource
}

/** What the worker thread posts. */
export type TaskOutcome = { readonly imported: ImportedSource } | { readonly failure: Failure }

interface Failure {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly fetch?: { readonly kind: FetchErrorKind; readonly retryAfterMs: number | undefined }
}

/**
 * Returns the function that imports a source in a worker thread, which has ended when this resolves or rejects: parsing
 * and validating would block the event loop, and so does the embedded store.
 */
export function importInThread(
  { DATABASE_URL: databaseUrl }: Pick<Config, 'DATABASE_URL'>,
  sources: readonly ConfiguredSource[],
): FollowOptions['importSource'] {
  return async (dataset, known, signal) => {
    const entry = sources.find(source => source.dataset === dataset)?.entry
    if (entry === undefined) throw new TypeError(`${dataset} has no source`)
    const outcome = await runTask({ databaseUrl, entry, known }, signal)
    signal.throwIfAborted()
    if ('failure' in outcome) throw errorOf(outcome.failure)
    return outcome.imported
  }
}

/** Waits until the worker has ended; it may die before it posts anything. */
function runTask(task: SourceTask, signal: AbortSignal): Promise<TaskOutcome> {
  return new Promise((resolve, reject) => {
    const worker = startThread(new URL('./import-worker', import.meta.url), task)
    const abort = () => worker.postMessage('abort')
    signal.addEventListener('abort', abort, { once: true })
    let outcome: TaskOutcome | undefined
    let thrown: unknown
    worker.once('message', (message: TaskOutcome) => {
      outcome = message
    })
    worker.once('error', error => {
      thrown = error
    })
    worker.once('exit', status => {
      signal.removeEventListener('abort', abort)
      if (outcome !== undefined) resolve(outcome)
      else reject(thrown ?? new Error(`the worker thread of an import exited with status ${status}`))
    })
  })
}

/** Restores the class of an error, which is lost between threads. */
function errorOf({ name, message, stack, fetch }: Failure): Error {
  if (fetch !== undefined) return new FetchError(fetch.kind, message, { retryAfterMs: fetch.retryAfterMs })
  const Known = [StoreBusyError, StoreUnusableError].find(each => new each().name === name) ?? Error
  return Object.assign(new Known(message), { name, ...(stack === undefined ? {} : { stack }) })
}
