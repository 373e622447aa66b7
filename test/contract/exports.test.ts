import assert from 'node:assert/strict'
import { test } from 'node:test'
import { islandSource } from '../../demo/island.ts'
import { DATASETS } from '../../src/datasets/index.ts'
import { importDataset } from '../../src/releases/import/import.ts'
import { temporaryStore } from '../support/service.ts'

/* What `pds export` writes, `pds import` reads as the same records, ids and times. */

const SMALL = DATASETS.filter(({ layout }) => layout.kind === 'documents')

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
