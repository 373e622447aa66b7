import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { DATASETS } from '../../src/datasets/index.ts'
import { islandSource } from '../../src/demo/island.ts'
import { importDataset } from '../../src/releases/import/import.ts'
import { exportsOf } from '../support/exported.ts'
import { temporaryStore } from '../support/service.ts'

/* What `pds export` writes, `pds import` reads as the same records, ids and times. */

const SMALL = DATASETS.filter(({ layout }) => layout.kind === 'documents')

for (const dataset of SMALL)
  test(`${dataset.name} in every format are read back as they were`, async t => {
    const store = await temporaryStore(t)
    const first = await importDataset({ store, dataset, synthetic: true, ...islandSource(dataset.name) })
    const release = first.release ?? assert.fail(first.reason)
    for await (const { format, content } of exportsOf(store, dataset)) {
      const input = Readable.from(content)
      const again = await importDataset({ store, dataset, synthetic: true, source: format, input })
      assert.deepEqual([again.outcome, again.release], ['no new release', release], format)
    }
  })

test('places of a synthetic island are not published as real ones, unless that is accepted', async t => {
  const places = SMALL.filter(({ identity }) => identity.kind === 'uuid')
  assert.ok(places.length >= 4)
  for (const dataset of places) {
    const store = await temporaryStore(t)
    const load = (accept: readonly string[] = []) =>
      importDataset({ store, dataset, accept, ...islandSource(dataset.name) })
    const { outcome, reason } = await load()
    assert.equal(outcome, 'refused')
    assert.match(
      reason ?? '',
      /^synthetic-records: (\d+) of \1 ids are a synthetic island's.*--accept synthetic-records/,
    )
    assert.equal((await load(['synthetic-records'])).outcome, 'published')
  }
})
