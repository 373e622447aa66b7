import { parentPort, workerData } from 'node:worker_threads'
import { DATASETS } from '../../datasets/index.ts'
import { importSource } from '../../releases/schedule/import-source.ts'
import { FetchError } from '../../sources/fetch/fetch-error.ts'
import { openStore } from '../../store/open-store.ts'
import { lowerPriority } from '../../values/thread.ts'
import { dependentChecks } from '../publish-checks.ts'
import { failureOf } from '../thread-failure.ts'
import type { SourceTask, TaskOutcome } from './import-thread.ts'
import { rejectLimitOf } from './sources-file.ts'

/*
 * The worker thread that fetches and imports one source, over a store connection of its own. Any message aborts it.
 */

lowerPriority()
const stopping = new AbortController()
parentPort?.once('message', () => stopping.abort(new Error('the service is stopping')))
const outcome = await run(workerData as SourceTask).then(
  (imported): TaskOutcome => ({ imported }),
  (error: Error): TaskOutcome => ({
    failure: {
      ...failureOf(error),
      ...(error instanceof FetchError && { fetch: { kind: error.kind, retryAfterMs: error.retryAfterMs } }),
    },
  }),
)
parentPort?.postMessage(outcome)
parentPort?.close()

async function run({ databaseUrl, tables, entry, known, accepted }: SourceTask) {
  const { dataset: name, url: address, map, maxBytes, timeoutS, allowPrivate } = entry
  const dataset = DATASETS.find(each => each.name === name)
  if (dataset === undefined) throw new TypeError(`there is no dataset ${name}`)
  const rejectLimit = rejectLimitOf(entry)
  const store = await openStore(databaseUrl, { mustExist: true, tables })
  try {
    return await importSource(
      {
        address,
        fetch: { maxBytes, allowPrivate, timeoutMs: timeoutS && timeoutS * 1000 },
        options: {
          ...{ store, dataset, reading: entry, signal: stopping.signal },
          ...{ others: DATASETS, dependents: dependentChecks(dataset.name, store) },
          ...(map && { map }),
          ...(rejectLimit && { rejectLimit }),
          ...(accepted && { ...accepted, now: () => new Date(accepted.at) }),
        },
      },
      known,
    )
  } finally {
    await store.close()
  }
}
