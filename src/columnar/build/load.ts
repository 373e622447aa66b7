import type { Worker } from 'node:worker_threads'
import type { TableLayout } from '../../store/layout.ts'
import {
  DamagedReleaseError,
  NoStoreError,
  type Release,
  StoreBusyError,
  StoreUnusableError,
  UnknownReleaseError,
} from '../../store/store.ts'
import { startThread } from '../../values/thread.ts'
import { type ColumnarTable, openColumnarTable } from '../columnar-table.ts'
import type { TableData } from '../indexes/table-data.ts'

/** The release to load, and how. */
export interface TableSource {
  readonly databaseUrl: string
  /** The address of servers to read from. */
  readonly readUrl?: string | undefined
  /** Open in the caller, so its bytes are not verified again. */
  readonly release: Release
  readonly layout: TableLayout
  /** The most memory, in bytes, for prerendered rows. */
  readonly prerenderBytes: number
}

/** What the worker thread posts: the data, or the error. */
export type BuildOutcome = { readonly data: TableData } | { readonly failure: Failure }

export interface Failure {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
}

/**
 * Loads the columnar table of a release in a worker thread, which has ended when this resolves or rejects: reading and
 * building would block the event loop. Rejects with the store's error.
 */
export async function loadColumnarTable(source: TableSource): Promise<ColumnarTable> {
  const outcome = await outcomeOf(startThread(new URL('./worker', import.meta.url), source))
  if ('failure' in outcome) throw errorOf(outcome.failure)
  return openColumnarTable(source.layout, outcome.data)
}

/** Waits for the worker to end; it may die before it posts anything. */
function outcomeOf(worker: Worker): Promise<BuildOutcome> {
  return new Promise((resolve, reject) => {
    let outcome: BuildOutcome | undefined
    let thrown: unknown
    worker.once('message', (message: BuildOutcome) => {
      outcome = message
    })
    worker.once('error', error => {
      thrown = error
    })
    worker.once('exit', status => {
      if (outcome !== undefined) resolve(outcome)
      else reject(thrown ?? new Error(`the worker thread that builds a table exited with status ${status}`))
    })
  })
}

const STORE_ERRORS = [
  DamagedReleaseError,
  NoStoreError,
  StoreBusyError,
  StoreUnusableError,
  UnknownReleaseError,
]

/** Restores the class of the store's errors, which is lost between threads. */
function errorOf({ name, message, stack }: Failure): Error {
  const Known = STORE_ERRORS.find(candidate => new candidate().name === name) ?? Error
  return Object.assign(new Known(message), { name, ...(stack === undefined ? {} : { stack }) })
}
