import { DATASETS } from '../datasets/index.ts'
import { importSource } from '../releases/schedule/import-source.ts'
import { openStore } from '../store/open-store.ts'
import { runBy } from '../values/system/user.ts'
import type { SourceTask } from './import-thread.ts'
import { dependentChecks } from './publish-checks.ts'
import { rejectLimitOf } from './sources-file.ts'
import { workInThread } from './threads.ts'

/*
 * The worker thread that fetches and imports one source, over its own connection to the store. Any message aborts it.
 */

await workInThread(run)

async function run(
  { databaseUrl, tables, keep, entry, corrections, known, accepted }: SourceTask,
  signal: AbortSignal,
) {
  const { dataset: name, url: address, map, maxBytes, timeoutS, allowPrivate } = entry
  const dataset = DATASETS.find(each => each.name === name)
  if (dataset === undefined) throw new TypeError(`there is no dataset ${name}`)
  const store = await openStore(databaseUrl, { mustExist: true, tables, keep })
  try {
    return await importSource(
      {
        address,
        fetch: { maxBytes, allowPrivate, timeoutMs: timeoutS && timeoutS * 1000 },
        options: {
          store,
          dataset,
          actor: accepted === undefined ? 'schedule' : runBy('pds sources --accept'),
          reading: entry,
          signal,
          others: DATASETS,
          dependents: dependentChecks(dataset.name, store),
          map,
          corrections,
          rejectLimit: rejectLimitOf(entry),
          accept: accepted?.accept,
          onlyHash: accepted?.onlyHash,
          now: accepted && (() => new Date(accepted.at)),
        },
      },
      known,
    )
  } finally {
    await store.close()
  }
}
