import { setPriority } from 'node:os'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { FetchError, type FetchErrorKind } from '../sources/fetch/fetch-error.ts'
import {
  DamagedReleaseError,
  StoreBusyError,
  StoreUnusableError,
  UnknownReleaseError,
} from '../store/store.ts'

/** An error as a worker thread posts it: its class is lost between threads. */
interface ThreadFailure {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly fetch?: { readonly kind: FetchErrorKind; readonly retryAfterMs: number | undefined }
}

/** What a worker thread posts. */
type Outcome<T> = { readonly value: T } | { readonly failure: ThreadFailure }

/** Does the work of a worker thread at a low priority and posts what comes of it. Any message aborts the signal. */
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
 * Runs a task in a worker thread, which has ended when this resolves or rejects as the work in it does. Once the signal is
 * aborted the thread gets a message, upon which it is to end.
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
      // It may die before it posts anything.
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
  // Before Node loaded TypeScript by itself (22.18), tsx does, which worker threads do not inherit.
  const loader = import.meta.resolve('tsx/esm/api')
  const start = `import('${loader}').then(tsx => tsx.register()).then(() => import('${file}'))`
  return new Worker(start, { workerData, eval: true })
}

/** Where it shares a core with requests, a background thread gets a tenth of it. */
const NICENESS = 10

/** Lowers the priority of the calling thread. On other platforms than Linux it is that of the whole process, and stays. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, NICENESS)
  } catch {
    // Failing to lower it costs nothing else.
  }
}

const failureOf = (error: Error): ThreadFailure => ({
  ...{ name: error.name, message: error.message, stack: error.stack },
  ...(error instanceof FetchError && { fetch: { kind: error.kind, retryAfterMs: error.retryAfterMs } }),
})

const CLASSES = [StoreBusyError, StoreUnusableError, DamagedReleaseError, UnknownReleaseError]

/** The error that a worker thread has posted, of its class again. */
function thrownOf({ name, message, stack, fetch }: ThreadFailure): Error {
  if (fetch !== undefined) return new FetchError(fetch.kind, message, { retryAfterMs: fetch.retryAfterMs })
  const Known = CLASSES.find(each => new each().name === name) ?? Error
  return Object.assign(new Known(message), { name, ...(stack === undefined ? {} : { stack }) })
}
