import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { Compile } from 'typebox/compile'
import { DATASETS } from '../src/datasets/index.ts'
import { toilets as toiletDataset } from '../src/datasets/toilets/index.ts'
import type { StoredRecord } from '../src/query/query.ts'
import { type Importable, Rejection } from '../src/releases/import/importable.ts'
import { openStore } from '../src/store/open-store.ts'
import type { Store } from '../src/store/store.ts'
import { carparks } from './datasets/carparks.ts'
import { defibrillators } from './datasets/defibrillators.ts'
import { productRecalls } from './datasets/product-recalls.ts'
import { toilets } from './datasets/toilets.ts'
import { LIVE_CARPARKS } from './feed/live-carparks.ts'
import { fillIsland, ISLAND_DATASETS, islandSource } from './island.ts'
import { DEMO_SEED, ISLAND_NAME } from './island-facts.ts'

const LISTS = DATASETS.filter(({ layout }) => layout.kind === 'documents')
const COUNTS: Readonly<Record<string, number>> = {
  carparks: 79,
  toilets: 55,
  recycling: 58,
  defibrillators: 75,
  'product-recalls': 900,
}
const UUID_VERSION_8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('the sources of the synthetic island', () => {
  test('there is none for another dataset', () => {
    const names = DATASETS.map(({ name }) => name)
    assert.deepEqual(
      ISLAND_DATASETS.filter(name => !names.includes(name)),
      [],
    )
    assert.throws(() => islandSource('beaches'), /no dataset "beaches"/)
    assert.throws(() => islandSource('__proto__'), RangeError)
  })

  for (const dataset of ISLAND_DATASETS)
    test(`${dataset}: the same seed gives the same bytes, another seed others`, async () => {
      const first = await digest(dataset, 7)
      assert.equal(await digest(dataset, 7), first)
      assert.notEqual(await digest(dataset, 8), first)
    })

  for (const { name, record: schema, identity } of LISTS)
    test(`${name}: each record by the schema and on land, ids all different and unlike real ones, for any seed`, async () => {
      const validator = Compile(schema)
      for (const seed of [DEMO_SEED, 1, -1, 2 ** 31]) {
        const { results } = (await json(islandSource(name, seed).input)) as { results: StoredRecord[] }
        assert.ok(results.length > 0)
        assert.equal(results.length, COUNTS[name] ?? results.length)
        assert.equal(new Set(results.map(record => record.id)).size, results.length)
        for (const record of results) {
          assert.ok(validator.Check(record), JSON.stringify([record, validator.Errors(record)]))
          // No publisher and no import makes UUIDs of version 8.
          if (identity.kind === 'uuid') assert.match(String(record.id), UUID_VERSION_8)
          const [latitude, longitude] = [Number(record.latitude ?? 49.2), Number(record.longitude ?? -2.1)]
          assert.ok(latitude > 49.17 && latitude < 49.25, `latitude ${latitude}`)
          assert.ok(longitude > -2.23 && longitude < -2.02, `longitude ${longitude}`)
        }
      }
    })

  test('car parks: the live ones are those of the feed, half are of unknown type, codes are unlike real ones', () => {
    const { results } = carparks(DEMO_SEED)
    const live = results.filter(carpark => carpark.liveTrackingCode !== null)
    assert.deepEqual(
      live.map(({ liveTrackingCode, name, spaces, multiStorey }) => [
        liveTrackingCode,
        name,
        spaces,
        multiStorey,
      ]),
      LIVE_CARPARKS.map(({ code, name, spaces }) => [code, name, spaces, true]),
    )
    const unknown = results.filter(carpark => carpark.type === 'UNKNOWN').length
    assert.ok(unknown > 30 && unknown < 55, `${unknown} unknown`)
    assert.equal(new Set(results.map(carpark => carpark.name)).size, results.length)
    for (const { payByPhoneCode } of results)
      if (payByPhoneCode !== null) assert.match(payByPhoneCode, /^00\d{3}$/)
  })

  test('toilets: two without sides, ten without an owner', () => {
    const { results } = toilets(DEMO_SEED)
    assert.equal(results.filter(({ female, male }) => female === null && male === null).length, 2)
    assert.equal(results.filter(({ owner }) => owner.id === null && owner.name === null).length, 10)
  })

  test('defibrillators: thirty without number, twenty without coordinates, and each says that it is invented', () => {
    const { results } = defibrillators(DEMO_SEED)
    assert.equal(results.filter(({ padNumber }) => padNumber === null).length, 30)
    assert.equal(
      results.filter(({ latitude, longitude }) => latitude === null && longitude === null).length,
      20,
    )
    for (const { notes } of results) assert.match(notes, /INVENTED/)
  })

  test('recalls: newest first, over some years, each saying that it is invented', () => {
    const { results } = productRecalls(DEMO_SEED)
    const dates = results.map(recall => recall.recallDate)
    assert.deepEqual(dates, dates.toSorted().reverse())
    assert.ok(Number(dates[0]?.slice(0, 4)) - Number(dates.at(-1)?.slice(0, 4)) >= 5)
    for (const { furtherInformation } of results) assert.match(furtherInformation, /This notice is invented/)
  })
})

describe('filling a store with the synthetic island', () => {
  test('publishes every dataset whole, without a warning and marked as synthetic; then nothing more', async t => {
    const store = await openTemporaryStore(t)
    const heard = new Set<string>()
    const reports = await fillIsland({ store, datasets: DATASETS, onProgress: dataset => heard.add(dataset) })
    assert.deepEqual(
      reports.map(({ dataset, outcome, rejected, warned, ignoredColumns }) => [
        dataset,
        outcome,
        rejected,
        warned,
        ignoredColumns.length,
      ]),
      DATASETS.map(dataset => [dataset.name, 'published', 0, 0, 0]),
    )
    assert.ok(heard.has('vehicles'))
    for (const dataset of DATASETS) {
      const release = await store.releases.current(dataset.name)
      assert.deepEqual([release?.synthetic, release?.source], [true, ISLAND_NAME])
    }
    assert.deepEqual(await fillIsland({ store, datasets: DATASETS }), [])
  })

  test('says why an import is refused', async t => {
    const store = await openTemporaryStore(t)
    const refusing: Importable = {
      ...toiletDataset,
      transform: record => {
        throw new Rejection('name', record.name, 'is not wanted')
      },
    }
    await assert.rejects(
      fillIsland({ store, datasets: [refusing] }),
      /synthetic island's toilets were refused: .+/,
    )
    assert.equal(await store.releases.current('toilets'), undefined)
  })
})

async function digest(dataset: string, seed: number): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of islandSource(dataset, seed).input) hash.update(bytes)
  return hash.digest('hex')
}

async function openTemporaryStore(t: TestContext): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'pds-demo-'))
  const store = await openStore(`sqlite:${folder}`)
  t.after(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })
  return store
}
