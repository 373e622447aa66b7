import { setPriority } from 'node:os'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { FetchError, type FetchErrorKind } from '../sources/fetch/fetch-error.ts'
import {
  DamagedReleaseError,
  StoreBusyError,
  StoreUnusableError,
  UnknownReleaseError,
} from '../store/store.ts'

/** An error in a message of a worker thread. Messages lose the error's class. */
interface ThreadFailure {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly fetch: { readonly kind: FetchErrorKind; readonly retryAfterMs: number | undefined } | undefined
}

/** The message of a worker thread. */
type Outcome<T> = { readonly value: T } | { readonly failure: ThreadFailure }

/** Does the work of a worker thread at a low priority and posts the outcome. Any message aborts the signal. */
export async function workInThread<Task, T>(
  work: (task: Task, signal: AbortSignal) => Promise<T>,
): Promise<void> {
  lowerPriority()
  const stopping = new AbortController()
  parentPort?.once('message', () => stopping.abort(new Error('the service is stopping')))
  const outcome = await work(workerData, stopping.signal).then(
    (value): Outcome<T> => ({ value }),
    (error: Error): Outcome<T> => ({ failure: failureOf(error) }),
  )
  parentPort?.postMessage(outcome)
  parentPort?.close()
}

/**
 * Runs a task in a worker thread. Settles like the work there, after the thread has ended. If the signal is aborted, the
 * thread gets a message and must end.
 */
export function runInThread<T>(module: URL, task: unknown, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const worker = startThread(module, task)
    const abort = () => worker.postMessage('abort')
    signal.addEventListener('abort', abort, { once: true })
    let outcome: Outcome<T> | undefined
    let thrown: unknown
    worker.once('message', posted => {
      outcome = posted
    })
    worker.once('error', error => {
      thrown = error
    })
    worker.once('exit', status => {
      signal.removeEventListener('abort', abort)
      // The thread may die before it posts a message.
      if (outcome === undefined)
        reject(thrown ?? new Error(`the worker thread ${module.pathname} exited with status ${status}`))
      else if ('failure' in outcome) reject(thrownOf(outcome.failure))
      else resolve(outcome.value)
    })
  })
}

const SUFFIX = import.meta.url.endsWith('.js') ? '.js' : '.ts'
const LOADS_TYPESCRIPT = 'typescript' in process.features && process.features.typescript !== false

/** Starts a worker thread from a module, compiled or not; `module` is its URL without the suffix. */
function startThread(module: URL, workerData: unknown): Worker {
  const file = new URL(module.href + SUFFIX)
  if (SUFFIX === '.js' || LOADS_TYPESCRIPT) return new Worker(file, { workerData })
  // Before version 22.18, Node needs tsx to load TypeScript, and worker threads do not inherit tsx.
  const loader = import.meta.resolve('tsx/esm/api')
  const start = `import('${loader}').then(tsx => tsx.register()).then(() => import('${file}'))`
  return new Worker(start, { workerData, eval: true })
}

/** Gives a background thread a tenth of a core that it shares with requests. */
const NICENESS = 10

/** Lowers the priority of the calling thread. Only Linux: elsewhere the priority belongs to the whole process. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, NICENESS)
  } catch {
    // Without a lower priority, everything else still works.
  }
}

const failureOf = (error: Error): ThreadFailure => ({
  name: error.name,
  message: error.message,
  stack: error.stack,
  fetch: error instanceof FetchError ? { kind: error.kind, retryAfterMs: error.retryAfterMs } : undefined,
})

const CLASSES = [StoreBusyError, StoreUnusableError, DamagedReleaseError, UnknownReleaseError]

/** The error that a worker thread has posted, with its class restored. */
function thrownOf({ name, message, stack, fetch }: ThreadFailure): Error {
  if (fetch !== undefined) return new FetchError(fetch.kind, message, { retryAfterMs: fetch.retryAfterMs })
  const Known = CLASSES.find(each => new each().name === name) ?? Error
  const error = Object.assign(new Known(message), { name })
  if (stack !== undefined) error.stack = stack
  return error
}
