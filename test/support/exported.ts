import assert from 'node:assert/strict'
import type { Dataset } from '../../src/datasets/dataset.ts'
import { FORMATS, formatsFor } from '../../src/formats/formats.ts'
import { batchesOf } from '../../src/query/query.ts'
import type { Store } from '../../src/store/store.ts'
import { parquetRecords } from './parquet.ts'

/** Other readers of formats, for those that no import reads. */
export const READERS: Readonly<Record<string, typeof parquetRecords>> = { parquet: parquetRecords }

/** The current release of a dataset in each format that `pds export` can write it in and an import reads. */
export async function* exportsOf(store: Store, dataset: Dataset) {
  const current = (await store.releases.current(dataset.name)) ?? assert.fail()
  const opened = await store.releases.open(current, dataset.layout)
  for (const format of formatsFor(FORMATS, dataset.record))
    if (!Object.hasOwn(READERS, format.name))
      yield { format: format.name, content: format.write(batchesOf(opened.records()), dataset.record) }
}
