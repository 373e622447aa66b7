import { Worker } from 'node:worker_threads'

const SUFFIX = import.meta.url.endsWith('.js') ? '.js' : '.ts'

/** Starts a thread that runs a module, built or not; `module` is its address without the suffix. */
export function startThread(module: URL, workerData: unknown): Worker {
  const file = new URL(module.href + SUFFIX)
  if (SUFFIX === '.js') return new Worker(file, { workerData })
  // Source runs by a loader that does not reach into threads by itself.
  const loader = import.meta.resolve('tsx/esm/api')
  const start = `import('${loader}').then(tsx => tsx.register()).then(() => import('${file}'))`
  return new Worker(start, { workerData, eval: true })
}
