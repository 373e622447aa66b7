import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { DATASETS } from '../../src/datasets/index.ts'
import { importDataset } from '../../src/releases/import/import.ts'
import { requiredFields } from '../../src/releases/import/importable.ts'
import { realDataMissing, realPath } from '../support/real-data.ts'
import { temporaryStore } from '../support/service.ts'

const CENTRES = 'location,parish,latitude,longitude,services\nParish Hall,Grouville,49.19,-2.04,GLASS\n'

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

for (const [name, path] of FILES)
  test(`${path} is recognised as ${name} by every other dataset that refuses it`, {
    skip: realDataMissing,
  }, async t => {
    const store = await temporaryStore(t)
    for (const dataset of DATASETS) {
      if (dataset.name === name) continue
      const report = await importDataset({ store, dataset, others: DATASETS, source: realPath(path) })
      t.diagnostic(`as ${dataset.name}: ${report.outcome}: ${report.reason}`)
      assert.equal(report.outcome, 'refused')
      // With all that the other dataset needs, records are accepted, and the check refuses the whole.
      const { properties } = datasetNamed(name).record
      const isAlike = requiredFields(dataset).every(field => field in properties) && report.accepted > 0
      const reason = isAlike
        ? `^another-dataset: this looks like ${name}: \\d+ of its columns are of that dataset, \\d+ of `
        : `^this looks like ${name}: (it lacks|all \\d+ records lack) `
      assert.match(report.reason ?? '', new RegExp(reason))
    }
  })

for (const [name, path] of FILES)
  test(`${path} is published as the first release of ${name}`, { skip: realDataMissing }, async t => {
    const store = await temporaryStore(t)
    const dataset = datasetNamed(name)
    // The register has some rows that are rejected, whichever dataset it is taken for.
    const rejectLimit = { percent: 1 }
    const source = realPath(path)
    // The recalls are a page of a longer list.
    const accept = ['incomplete-source']
    const report = await importDataset({ store, dataset, others: DATASETS, source, rejectLimit, accept })
    assert.equal(report.outcome, 'published', report.reason)
  })

test('the first release of another dataset is refused until that is accepted', async t => {
  const store = await temporaryStore(t)
  const load = (allowed: { accept?: string[]; force?: boolean; map?: Record<string, string> } = {}) =>
    importDataset({
      ...{ store, dataset: datasetNamed('defibrillators'), others: DATASETS, source: 'centres', ...allowed },
      input: Readable.from([CENTRES], { objectMode: false }),
    })
  const refused = await load()
  assert.equal(
    refused.reason,
    'another-dataset: this looks like recycling: 5 of its columns are of that dataset, 4 of defibrillators; ' +
      'if that is right, use --accept another-dataset, or --force for all checks',
  )
  assert.equal(await store.releases.current('defibrillators'), undefined)
  assert.equal((await load({ accept: ['another-dataset'] })).outcome, 'published')
  // From then on the release before is what it is compared with.
  assert.equal((await load()).outcome, 'no new release')
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
