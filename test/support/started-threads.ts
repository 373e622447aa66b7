import type { TestContext } from 'node:test'
import type { Worker } from 'node:worker_threads'

// The loader of sources has a thread of its own, which is told of after it has started; it is none of them.
await new Promise(resolve => setImmediate(resolve))

/** The threads that are started while a test runs, each handed to `meet` at once. */
export function startedThreads(t: TestContext, meet: (thread: Worker) => void = () => {}): Worker[] {
  const threads: Worker[] = []
  const add = (thread: Worker) => {
    threads.push(thread)
    meet(thread)
  }
  process.on('worker', add)
  t.after(() => process.off('worker', add))
  return threads
}
