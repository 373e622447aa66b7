import assert from 'node:assert/strict'
import { hostname, userInfo } from 'node:os'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { temporaryStore } from '../../test/support/service.ts'
import { ENGINES } from '../../test/support/store-engines.ts'
import { publishAll } from '../../test/support/stored-vehicles.ts'
import { toilets } from '../datasets/toilets/index.ts'
import { importDataset } from '../releases/import/import.ts'
import { openStore } from './open-store.ts'
import type { NewEntry, Store } from './store.ts'

const TOILETS = { kind: 'documents' } as const
const NAMES = ['Harbour', 'Market', 'Pier', 'Beach', 'Castle', 'Station', 'Museum', 'Library'].map(name => ({
  name,
  parish: 'St. Helier',
}))

/** The newest entries as lines. */
const shown = async (store: Store) =>
  (await byNumber(store)).map(({ number, event, times, release, detail }) =>
    [number, event, times, release, detail].join(' '),
  )

const refusal = (more: Partial<NewEntry> = {}): NewEntry => ({
  dataset: 'toilets',
  event: 'refused',
  actor: 'schedule',
  release: null,
  source: 'toilets.csv',
  hash: null,
  detail: 'few\0 "records" \ud800',
  ...more,
})

const importing = (store: Store, records: readonly object[], accept: readonly string[] = []) =>
  importDataset({
    store,
    accept,
    dataset: toilets,
    source: 'toilets.json',
    input: Readable.from([Buffer.from(JSON.stringify({ results: records }))]),
  })

/** The entries of a dataset, the highest number first. */
const byNumber = async ({ journal }: Store) =>
  (await journal.list('toilets')).toSorted((one, other) => other.number - one.number)

async function keeping(t: TestContext, address: string, keep: string) {
  const store = await openStore(address, { keep })
  t.after(() => store.close())
  return store
}

for (const { name, emptyStore } of ENGINES) {
  test(`${name}: the journal tells what was published, refused, accepted, rolled back and not new`, async t => {
    const store = await temporaryStore(t, await emptyStore(t))
    await importing(store, NAMES)
    const { checks } = await importing(store, NAMES.slice(0, 1))
    await importing(store, NAMES.slice(0, 1))
    const failed = checks.flatMap(({ name, outcome }) => (outcome === 'failed' ? [name] : []))
    await importing(store, NAMES.slice(0, 1), failed)
    await importing(store, NAMES.slice(0, 1))
    await store.releases.makeCurrent('toilets', 1)
    const [rolledBack, same, accepted, refused, published] = await shown(store)
    assert.equal(published, '1 published 1 1 ')
    assert.match(refused ?? '', /^2 refused 2 {2}.*row-count/)
    assert.equal(accepted, `3 accepted 1 2 ${failed.join(', ')}`)
    assert.deepEqual([same, rolledBack], ['4 nothing new 1 2 ', '5 rolled back 1 1 '])
    const [newest, , , , first] = await byNumber(store)
    assert.equal(newest?.actor, `rollback (${userInfo().username}@${hostname()})`)
    assert.deepEqual([newest?.hash, newest?.source], [first?.hash, first?.source])
    assert.equal(Object(await store.journal.report('toilets', 1)).release.number, 1)
    assert.equal(Object(await store.journal.report('toilets', 2)).removed, 7)
    assert.equal(await store.journal.report('toilets', 5), undefined)
  })

  test(`${name}: the same outcome of the same content since the last change is one entry`, async t => {
    const store = await temporaryStore(t, await emptyStore(t))
    for (const more of [
      {},
      { hash: 'a'.repeat(64) },
      {},
      { detail: null },
      { actor: 'other' },
      { detail: null },
    ])
      await store.journal.add(refusal(more))
    await publishAll(store, 'toilets', TOILETS, [{ id: 'a' }])
    await store.journal.add(refusal())
    const times = (await byNumber(store)).map(entry => [entry.number, entry.times])
    assert.deepEqual(times, [
      [6, 1],
      [5, 1],
      [4, 1],
      [3, 2],
      [2, 1],
      [1, 2],
    ])
    const [first] = (await byNumber(store)).slice(-1)
    assert.deepEqual(
      [first?.detail, (first?.last ?? '') >= (first?.at ?? '')],
      ['few\ufffd "records" \ufffd', true],
    )
  })

  test(`${name}: refusals go with time, releases stay; entries of several processes have their own numbers`, async t => {
    const address = await emptyStore(t)
    const [one, other] = [await temporaryStore(t, address), await temporaryStore(t, address)]
    await publishAll(one, 'toilets', TOILETS, [{ id: 'a' }])
    const reasons = Array.from({ length: 130 }, (_, at) => `reason ${at}`)
    await Promise.all(
      [one, other].map(async ({ journal }, half) => {
        for (const [at, detail] of reasons.entries())
          if (at % 2 === half) await journal.add(refusal({ detail }))
      }),
    )
    const kept = await byNumber(one)
    assert.deepEqual(
      kept.map(({ number }) => number),
      [...Array.from({ length: 100 }, (_, at) => 131 - at), 1],
    )
    assert.deepEqual(await one.journal.list('vehicles'), [])
  })

  test(`${name}: counts of three years of daily releases stay, and before them the last ones of each month`, async t => {
    const { journal } = await temporaryStore(t, await emptyStore(t))
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2022-12-30T12:00:00Z') })
    const published = (release: number): NewEntry => ({
      ...refusal({ event: 'published', release, detail: null }),
      counts: { parish: { 'St. Helier': release } },
    })
    for (let release = 1; release <= 1210; release++) {
      await journal.add(published(release))
      t.mock.timers.tick(86_400_000)
    }
    await journal.add(refusal({ event: 'rolled back', release: 5, detail: null }))
    const counts = await journal.counts('toilets')
    // The 2nd of 1210 was published on the last day of a year, and the 11th is the first of the newest 1200.
    assert.deepEqual(
      counts.slice(0, 3).map(({ at, release }) => [at.slice(0, 10), release]),
      [
        ['2022-12-31', 2],
        ['2023-01-10', 12],
        ['2023-01-11', 13],
      ],
    )
    assert.deepEqual(counts.at(-1)?.counts, { parish: { 'St. Helier': 1210 } })
    // Nobody knows any more what the release of the rollback had.
    assert.equal(counts.length, 1200)
  })

  test(`${name}: KEEP_RELEASES keeps the newest releases, and those of the last days`, async t => {
    const address = await emptyStore(t)
    const numbers = async (store: Store) => (await store.releases.list('toilets')).map(({ number }) => number)
    const byAge = await keeping(t, address, '1d')
    for (let id = 1; id <= 7; id++) await publishAll(byAge, 'toilets', TOILETS, [{ id }])
    assert.deepEqual(await numbers(byAge), [7, 6, 5, 4, 3, 2, 1])
    const two = await keeping(t, address, '2')
    await publishAll(two, 'toilets', TOILETS, [{ id: 8 }])
    assert.deepEqual(await numbers(two), [8, 7])
    assert.deepEqual((await two.journal.list('toilets')).length, 8)
  })
}
