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
import { openRegister, type Register } from '../columnar-table.ts'
import type { Parts } from '../indexes/table-data.ts'

/** What a register is to be made of. */
export interface RegisterSource {
  readonly databaseUrl: string
  /** Of servers to read from. */
  readonly readUrl?: string | undefined
  /** One that is open meanwhile: its bytes are not verified again. */
  readonly release: Release
  readonly layout: TableLayout
  /** The most memory, in bytes, that rows may take as they are sent. */
  readonly readyBytes: number
}

/** What the worker answers with: the parts, or what the error was. */
export type BuildAnswer = { readonly parts: Parts } | { readonly failure: Failure }

export interface Failure {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
}

/**
 * Makes the register of a release in a thread of its own, which has ended when this is done: reading and building
 * take long, and this thread has requests to answer. Rejects with what the store threw.
 */
export async function loadRegister(source: RegisterSource): Promise<Register> {
  const worker = startThread(new URL('./worker', import.meta.url), source)
  const answer = await answerOf(worker)
  if ('failure' in answer) throw errorOf(answer.failure)
  return openRegister(source.layout, answer.parts)
}

/** Waits for the worker's end: it may die before it answers, and it must not outlive this. */
function answerOf(worker: Worker): Promise<BuildAnswer> {
  return new Promise((resolve, reject) => {
    let answer: BuildAnswer | undefined
    let thrown: unknown
    worker.once('message', (message: BuildAnswer) => {
      answer = message
    })
    worker.once('error', error => {
      thrown = error
    })
    worker.once('exit', status => {
      if (answer !== undefined) resolve(answer)
      else reject(thrown ?? new Error(`the thread that loads the register ended with status ${status}`))
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

/** Makes the store's errors what they were: threads hand on no classes. */
function errorOf({ name, message, stack }: Failure): Error {
  const Known = STORE_ERRORS.find(candidate => new candidate().name === name) ?? Error
  return Object.assign(new Known(message), { name, ...(stack === undefined ? {} : { stack }) })
}
