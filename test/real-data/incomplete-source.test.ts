import assert from 'node:assert/strict'
import { test } from 'node:test'
import { productRecalls } from '../../src/datasets/product-recalls/index.ts'
import { importDataset } from '../../src/releases/import/import.ts'
import { realDataMissing, realPath } from '../support/real-data.ts'
import { temporaryStore } from '../support/service.ts'

const PAGES = [
  ['bad-files/03-page-one.json', 'the source holds 1 of 18 records (pagination.totalItems)'],
  ['recalls/recalls-sample.json', 'the source holds 2 of 917 records (pagination.totalItems)'],
] as const

for (const [path, held] of PAGES)
  test(`${path} is a page, and published only if that is accepted`, { skip: realDataMissing }, async t => {
    const store = await temporaryStore(t)
    const load = (accept: readonly string[]) =>
      importDataset({ store, dataset: productRecalls, source: realPath(path), accept })
    const { outcome, reason = '' } = await load([])
    assert.equal(outcome, 'refused')
    assert.ok(reason.startsWith(`incomplete-source: ${held}; fetch all pages`), reason)
    assert.equal(await store.releases.current(productRecalls.name), undefined)
    const accepted = await load(['incomplete-source'])
    assert.equal(accepted.outcome, 'published', accepted.reason)
  })
