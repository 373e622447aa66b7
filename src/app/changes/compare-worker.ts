import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { shownFields } from '../../datasets/dataset.ts'
import { DATASETS } from '../../datasets/index.ts'
import { type ChangesFormat, writeChanges } from '../../interfaces/changes/write-changes.ts'
import { withDiff } from '../../releases/diff/diff.ts'
import { openStore } from '../../store/open-store.ts'
import { lowerPriority } from '../../values/thread.ts'
import { failureOf } from '../thread-failure.ts'
import type { ComparisonOutcome, ComparisonTask } from './comparisons.ts'

/*
 * The worker thread that writes how two releases differ, over a store connection of its own. Any message ends it.
 */

lowerPriority()
const stopping = new AbortController()
parentPort?.once('message', () => stopping.abort(new Error('the service is stopping')))
const outcome = await run(workerData as ComparisonTask).then(
  (bytes): ComparisonOutcome => ({ bytes }),
  (error: Error): ComparisonOutcome => ({ failure: failureOf(error) }),
)
parentPort?.postMessage(outcome)
parentPort?.close()

async function run({ databaseUrl, dataset: name, from, to, format, fd }: ComparisonTask): Promise<number> {
  const dataset = DATASETS.find(each => each.name === name)
  if (dataset === undefined) throw new TypeError(`there is no dataset ${name}`)
  const store = await openStore(databaseUrl, { mustExist: true })
  try {
    const sides = { from, to }
    const { signal } = stopping
    return await withDiff(
      { store, dataset, fields: shownFields(dataset), signal, ...sides },
      async ({ differences }) => {
        let size = 0
        for await (const chunk of writeChanges(
          { dataset: name, ...sides, differences },
          format as ChangesFormat,
        )) {
          signal.throwIfAborted()
          for (let done = 0; done < chunk.length; ) {
            const written = writeSync(fd, chunk, done)
            done += written
            size += written
          }
        }
        return size
      },
    )
  } finally {
    await store.close()
  }
}
