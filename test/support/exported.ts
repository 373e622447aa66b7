import assert from 'node:assert/strict'
import type { Dataset } from '../../src/datasets/dataset.ts'
import { FORMATS, formatsFor } from '../../src/formats/formats.ts'
import { parquet } from '../../src/formats/parquet.ts'
import { batchesOf } from '../../src/query/batches.ts'
import type { Store } from '../../src/store/store.ts'

/** The current release of a dataset in each format that `pds export` can write it in and an import reads. */
export async function* exportsOf(store: Store, dataset: Dataset) {
  const current = (await store.releases.current(dataset.name)) ?? assert.fail()
  const opened = await store.releases.open(current, dataset.layout)
  for (const format of formatsFor(FORMATS, dataset.record))
    if (format !== parquet)
      yield { format: format.name, content: format.write(batchesOf(opened.records()), dataset.record) }
  await opened.close()
}
