import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { DATASETS } from '../../src/datasets/index.ts'
import { islandSource } from '../../src/demo/island.ts'
import { writeRecords } from '../../src/formats/format.ts'
import { FORMATS, formatsFor } from '../../src/formats/formats.ts'
import type { StoredRecord } from '../../src/query/query.ts'
import { importDataset } from '../../src/releases/import/import.ts'
import { temporaryStore } from '../support/service.ts'

/* What `pds export` writes, `pds import` reads as the same records, ids and times. */

const SMALL = DATASETS.filter(({ layout }) => layout.kind === 'documents')

for (const dataset of SMALL)
  test(`${dataset.name} in every format are read back as they were`, async t => {
    const store = await temporaryStore(t)
    const first = await importDataset({ store, dataset, ...islandSource(dataset.name) })
    const release = first.release ?? assert.fail(first.reason)
    const current = (await store.releases.current(dataset.name)) ?? assert.fail()
    const opened = await store.releases.open(current, dataset.layout)
    const records: StoredRecord[] = []
    for await (const record of opened.records()) records.push(record)
    await opened.close()
    for (const format of formatsFor(FORMATS, dataset.record)) {
      const input = Readable.from([await writeRecords(format, records, dataset.record)])
      const again = await importDataset({ store, dataset, source: format.name, input })
      assert.deepEqual([again.outcome, again.release], ['no new release', release], format.name)
    }
  })
