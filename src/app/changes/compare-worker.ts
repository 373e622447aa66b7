import { shownFields } from '../../datasets/dataset.ts'
import { DATASETS } from '../../datasets/index.ts'
import { writeChanges } from '../../interfaces/changes/changes-document.ts'
import { workInThread } from '../../publishing/threads.ts'
import { withDiff } from '../../releases/diff/diff.ts'
import { openStore } from '../../store/open-store.ts'
import { writeAt } from '../../values/system/temporary-file.ts'
import type { ComparisonTask } from './comparisons.ts'

/* The worker thread that writes how two releases differ. It has a separate store connection. Any message ends it. */

await workInThread(compare)

/** Resolves to the number of bytes written. */
async function compare(
  { databaseUrl, dataset: name, from, to, format, fd }: ComparisonTask,
  signal: AbortSignal,
): Promise<number> {
  const dataset = DATASETS.find(each => each.name === name)
  if (dataset === undefined) throw new TypeError(`there is no dataset ${name}`)
  const store = await openStore(databaseUrl, { mustExist: true })
  try {
    const sides = { from, to }
    return await withDiff(
      { store, dataset, fields: shownFields(dataset), signal, ...sides },
      async ({ differences }) => {
        const changes = { dataset: name, ...sides, differences }
        let size = 0
        for await (const chunk of writeChanges(changes, format)) {
          signal.throwIfAborted()
          writeAt(fd, chunk, size)
          size += chunk.length
        }
        return size
      },
    )
  } finally {
    await store.close()
  }
}
