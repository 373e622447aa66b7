import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { DATASETS } from '../../src/datasets/index.ts'
import { importDataset } from '../../src/releases/import/import.ts'
import { realDataMissing, realPath } from '../support/real-data.ts'
import { temporaryStore } from '../support/service.ts'

const datasetNamed = (name: string) => DATASETS.find(dataset => dataset.name === name) ?? assert.fail(name)

const FILES = [
  ['carparks', 'carparks/carparks.json'],
  ['carparks', 'carparks/carparks.csv'],
  ['toilets', 'toilets/toilets-full.json'],
  ['toilets', 'toilets/toilets-reduced-2025-10.json'],
  ['recycling', 'recycling/recycling.json'],
  ['recycling', 'recycling/recycling-raw-2024-06.json'],
  ['defibrillators', 'defibrillators/defibrillators-2024-06.json'],
  ['defibrillators', 'defibrillators/defibrillators-raw-2024-06.json'],
  ['product-recalls', 'recalls/recalls-sample.json'],
  ['vehicles', 'vehicles/register-synthesised.csv.gz'],
] as const

/** Pairs that have all that the other needs: only the release before tells them apart. */
const ALIKE = ['recycling', 'defibrillators']

for (const [name, path] of FILES)
  test(`${path} is recognised as ${name} by every other dataset that refuses it`, {
    skip: realDataMissing,
  }, async t => {
    const store = await temporaryStore(t)
    for (const dataset of DATASETS) {
      if (dataset.name === name) continue
      const report = await importDataset({ store, dataset, others: DATASETS, source: realPath(path) })
      t.diagnostic(`as ${dataset.name}: ${report.outcome}: ${report.reason}`)
      if (ALIKE.includes(name) && ALIKE.includes(dataset.name)) continue
      assert.equal(report.outcome, 'refused')
      assert.match(
        report.reason ?? '',
        new RegExp(`^this looks like ${name}: (it lacks|all \\d+ records lack) `),
      )
    }
  })

test('a sparse list of the dataset is not taken for one of another', async t => {
  const store = await temporaryStore(t)
  const load = (name: string, text: string) =>
    importDataset({
      ...{ store, dataset: datasetNamed(name), others: DATASETS, source: 'sparse' },
      input: Readable.from([text], { objectMode: false }),
    })
  const bad = await load('toilets', 'name,parish,latitude,longitude\nHarbour,St. Helier,north,west\n')
  assert.match(bad.reason ?? '', /^1 of 1 row rejected/)
  const nameless = await load('toilets', 'title,parish,tenure\nHarbour,St. Helier,FREEHOLD\n')
  assert.match(nameless.reason ?? '', /^the source has no column for name/)
  assert.equal((await load('vehicles', 'make,name\nFord,Fiesta\n')).reason?.includes('looks like'), false)
})
