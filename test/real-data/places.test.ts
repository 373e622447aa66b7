import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { DATASETS } from '../../src/datasets/index.ts'
import { importDataset } from '../../src/releases/import/import.ts'
import { exportsOf } from '../support/exported.ts'
import { readReal, realDataMissing, realPath } from '../support/real-data.ts'
import { build, temporaryStore } from '../support/service.ts'

const options = { skip: realDataMissing }

/** Every file of places with the dataset it is of, and what it holds. */
const FILES = [
  { dataset: 'carparks', file: 'carparks/carparks.json', count: 79, warned: 2 },
  { dataset: 'carparks', file: 'carparks/carparks.csv', count: 79, warned: 2 },
  { dataset: 'toilets', file: 'toilets/toilets-full.json', count: 55, warned: 0 },
  { dataset: 'toilets', file: 'toilets/toilets-reduced-2025-10.json', count: 55, warned: 0 },
  { dataset: 'recycling', file: 'recycling/recycling.json', count: 58, warned: 0 },
  { dataset: 'recycling', file: 'recycling/recycling-raw-2024-06.json', count: 58, warned: 0 },
  { dataset: 'defibrillators', file: 'defibrillators/defibrillators-2024-06.json', count: 75, warned: 0 },
  { dataset: 'defibrillators', file: 'defibrillators/defibrillators-raw-2024-06.json', count: 75, warned: 0 },
] as const

const datasetNamed = (name: string) => DATASETS.find(dataset => dataset.name === name) ?? assert.fail(name)

for (const { dataset, file, count, warned } of FILES)
  test(`${file} imports completely, with the expected warnings`, options, async t => {
    const store = await temporaryStore(t)
    const report = await importDataset({ store, dataset: datasetNamed(dataset), source: realPath(file) })
    assert.deepEqual(report.rejections, [])
    assert.equal(report.outcome, 'published')
    assert.equal(report.accepted, count)
    assert.equal(report.warned, warned, JSON.stringify(report.warnings))
    assert.deepEqual(report.ignoredColumns, [])
  })

for (const { dataset, file } of FILES)
  test(`${file} imported again gives the same records, ids and times: no new release`, options, async t => {
    const store = await temporaryStore(t)
    const once = () => importDataset({ store, dataset: datasetNamed(dataset), source: realPath(file) })
    const first = await once()
    const again = await once()
    assert.equal(again.outcome, 'no new release')
    assert.deepEqual(again.release, first.release)
  })

for (const { dataset: name, file } of FILES)
  test(`${file} comes back from an export in every format: no new release`, options, async t => {
    const store = await temporaryStore(t)
    const dataset = datasetNamed(name)
    const { release } = await importDataset({ store, dataset, source: realPath(file) })
    for await (const { format, content } of exportsOf(store, dataset)) {
      const input = Readable.from(content)
      const again = await importDataset({ store, dataset, source: format, input })
      assert.deepEqual([again.outcome, again.release], ['no new release', release], format)
    }
  })

test('the CSV and the JSON of the car parks have the same records', options, async t => {
  const store = await temporaryStore(t)
  await importDataset({
    store,
    dataset: datasetNamed('carparks'),
    source: realPath('carparks/carparks.json'),
  })
  const csv = await importDataset({
    store,
    dataset: datasetNamed('carparks'),
    source: realPath('carparks/carparks.csv'),
  })
  assert.equal(csv.outcome, 'no new release')
})

type Row = Record<string, unknown>

test('served records equal the publisher’s, field by field', options, async t => {
  const { app } = await build(t, {
    toilets: await readReal('toilets/toilets-full.json'),
    recycling: await readReal('recycling/recycling.json'),
    defibrillators: await readReal('defibrillators/defibrillators-2024-06.json'),
    carparks: await readReal('carparks/carparks.json'),
  })
  const served = async (path: string): Promise<Row[]> => (await app.inject(path)).json().results
  const given = async (file: string): Promise<Row[]> => {
    // Surrounding blanks are trimmed: one name of the list ends in one.
    const parsed = JSON.parse(await readReal(file), (_key, value) =>
      typeof value === 'string' ? value.trim() : value,
    )
    return parsed.results ?? parsed
  }
  const toilets = await given('toilets/toilets-full.json')
  assert.deepEqual(
    await served('/v1/toilets'),
    toilets.map(toilet => ({ female: null, male: null, ...toilet })),
  )
  assert.deepEqual(await served('/v1/recycling'), await given('recycling/recycling.json'))
  assert.deepEqual(
    await served('/v1/defibrillators'),
    await given('defibrillators/defibrillators-2024-06.json'),
  )
  const carparks = await given('carparks/carparks.json')
  assert.deepEqual(
    await served('/v1/carparks'),
    carparks.map(({ createdAt, ...carpark }) => carpark),
  )
  const sandStreet = carparks.find(({ liveTrackingCode }) => liveTrackingCode === 'SANDST') ?? assert.fail()
  const { paymentMethods, ...alone } = sandStreet
  for (const name of ['SANDST', 'sandst', String(sandStreet.id).toUpperCase()])
    assert.deepEqual((await app.inject(`/v1/carparks/${name}`)).json(), alone)
})

test('recalls are served as plain text and harmless HTML', options, async t => {
  const { app } = await build(t, { 'product-recalls': await readReal('recalls/recalls-sample.json') })
  const { results, pagination } = (await app.inject('/v1/product-recalls')).json()
  assert.deepEqual(pagination, { page: 1, limit: 50, totalPages: 1, totalItems: 2 })
  assert.equal(results[0].title, 'Magic Doodle Mat (Tobeape sold by Amazon) - Safety Notice')
  assert.match(results[0].furtherInformation, /Toys \(Safety\) Regulations 2011/)
  assert.deepEqual(
    Object.keys(results[0]),
    Object.keys(JSON.parse(await readReal('recalls/recalls-sample.json')).results[0]),
  )
})
