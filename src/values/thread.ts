import { setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'

const SUFFIX = import.meta.url.endsWith('.js') ? '.js' : '.ts'
const LOADS_TYPESCRIPT = 'typescript' in process.features && process.features.typescript !== false

/** Starts a worker thread from a module, compiled or not; `module` is its URL without the suffix. */
export function startThread(module: URL, workerData: unknown): Worker {
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
export function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, NICENESS)
  } catch {
    // Failing to lower it costs nothing else.
  }
}

/**
 * Runs a task in a worker thread, which has ended when this resolves with the value that it posted or rejects. Once the signal
 * is aborted the thread gets a message, upon which it is to end.
 */
export function runInThread<T>(module: URL, task: unknown, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const worker = startThread(module, task)
    const abort = () => worker.postMessage('abort')
    signal.addEventListener('abort', abort, { once: true })
    let posted: { readonly value: T } | undefined
    let thrown: unknown
    worker.once('message', (value: T) => {
      posted = { value }
    })
    worker.once('error', error => {
      thrown = error
    })
    worker.once('exit', status => {
      signal.removeEventListener('abort', abort)
      // It may die before it posts anything.
      if (posted !== undefined) resolve(posted.value)
      else reject(thrown ?? new Error(`the worker thread ${module.pathname} exited with status ${status}`))
    })
  })
}
