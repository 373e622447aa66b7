import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY_MS, STEP_MS } from '../../test/support/made-up-counts.ts'
import { liveEntry, madeUpFeed, observed, readingsOf } from '../../test/support/made-up-feed.ts'
import { makeParking } from '../../test/support/parking-service.ts'
import { temporaryStore } from '../../test/support/service.ts'
import type { CarParkRecords } from './quality/data-quality.ts'
import type { ParkingService } from './service.ts'

const NOW = Date.parse('2025-06-30T12:00:00Z')
const SOON = STEP_MS / 5
const FORMER = { code: 'A', name: 'A', spaces: 1, open: null, status: null }

test('an import during service is used, and listeners are notified once', async t => {
  const store = (await temporaryStore(t)).readings
  const { parking, observe } = makeParking(t, store, NOW)
  let told = 0
  parking.subscribe(() => told++)
  await parking.start()
  assert.deepEqual([told, parking.version()], [1, 1])
  observe(observed(NOW - SOON, [liveEntry('b', 10), liveEntry('A', 5, { name: 'Here' })]))
  const typical = () => parking.model().typical('A').reason !== null
  assert.deepEqual([told, typical()], [2, true])

  await store.saveHistory(readingsOf(madeUpFeed(NOW - 30 * DAY_MS, NOW - DAY_MS, { codes: ['A', 'C'] })))
  await parking.refresh()
  assert.deepEqual([told, typical()], [3, false])
  assert.deepEqual(parking.model().carParks(), [
    { code: 'A', name: 'Here' },
    { code: 'b', name: 'Car park b' },
    { code: 'C', name: 'Car park C' },
  ])
  // The feed's own latest reading remains the latest.
  assert.equal(parking.model().quality('B').observedAt, NOW - SOON)
  assert.equal(parking.model().quality('C').quality, 'missing')
  await parking.refresh()
  assert.deepEqual([told, parking.version()], [3, 3])
})

test('a count that becomes stale by time alone notifies once, and so does a new record', async t => {
  let records: CarParkRecords = new Map([['A', 400]])
  const { parking, at, observe } = makeParking(t, (await temporaryStore(t)).readings, NOW, {
    records: () => records,
  })
  await parking.start()
  observe(observed(NOW, [liveEntry('A', 5), liveEntry('TEST', 100)]))
  let told = 0
  const end = parking.subscribe(() => told++)
  const lookAt = async (time: number) => {
    at(time)
    await parking.refresh()
    return [told, parking.model().quality('A').quality, parking.model().quality('TEST').reason]
  }
  assert.deepEqual(await lookAt(NOW + 15 * 60_000), [0, 'good', 'no-car-park-record'])
  records = new Map([...records, ['TEST', null]])
  assert.deepEqual(await lookAt(NOW + 15 * 60_000), [1, 'good', 'nothing-suspicious'])
  assert.deepEqual(await lookAt(NOW + 15 * 60_000 + 1), [2, 'stale', 'reading-too-old'])
  assert.deepEqual(await lookAt(NOW + 16 * 60_000), [2, 'stale', 'reading-too-old'])
  end()
  observe(observed(NOW + 16 * 60_000, [liveEntry('A', 6)]))
  assert.equal(told, 2)
})

test('a listener that throws is logged, and the others are notified', async t => {
  const { parking, events, observe } = makeParking(t, (await temporaryStore(t)).readings, NOW)
  let told = 0
  parking.subscribe(() => {
    throw new Error('a client went away')
  })
  parking.subscribe(() => told++)
  await parking.start()
  observe(observed(NOW, [liveEntry('A', 5)]))
  assert.deepEqual([told, events], [2, ['listener-fault', 'listener-fault']])
})

/** A store with the readings of two car parks: those of one end fifteen days ago, those of the other yesterday. */
async function storeWithOld(t: TestContext) {
  const store = (await temporaryStore(t)).readings
  await store.saveHistory(readingsOf(madeUpFeed(NOW - 20 * DAY_MS, NOW - 15 * DAY_MS, { codes: ['OLD'] })))
  await store.saveHistory(readingsOf(madeUpFeed(NOW - 12 * DAY_MS, NOW - DAY_MS, { codes: ['A'] })))
  return store
}

const codesOf = (parking: ParkingService) =>
  parking
    .model()
    .carParks()
    .map(({ code }) => code)

test('expired readings are deleted, listeners are notified, and a car park without readings is listed no more', async t => {
  const store = await storeWithOld(t)
  const { parking, events, at, observe } = makeParking(t, store, NOW, { keepDays: 10 })
  let told = 0
  parking.subscribe(() => told++)
  await parking.start()
  assert.deepEqual([codesOf(parking), told, events], [['A'], 2, ['history-dropped']])
  assert.equal((await store.keptHistory())[0]?.first, NOW - 10 * DAY_MS)

  // The feed still lists it, so its name is known, even without stored readings.
  observe(observed(NOW, [liveEntry('OLD', 5)]))
  at(NOW + 59 * 60_000)
  await parking.refresh()
  assert.equal((await store.keptHistory())[0]?.first, NOW - 10 * DAY_MS, 'not looked for every time')
  at(NOW + 60 * 60_000)
  await parking.refresh()
  assert.equal((await store.keptHistory())[0]?.first, NOW - 10 * DAY_MS + 60 * 60_000)
  assert.deepEqual(codesOf(parking), ['A', 'OLD'])
})

test('an instance that does not lead deletes nothing, but no longer lists what the leader deleted', async t => {
  const store = await storeWithOld(t)
  const { parking, events, at, setRole } = makeParking(t, store, NOW, { keepDays: 10 })
  setRole('following')
  await parking.start()
  assert.deepEqual([codesOf(parking), events], [['A', 'OLD'], []])
  await store.dropHistory(NOW - 15 * DAY_MS)
  at(NOW + 60 * 60_000)
  await parking.refresh()
  assert.deepEqual([codesOf(parking), events], [['A'], []])
  // A new leader does not wait for an hour.
  setRole('leading')
  await parking.refresh()
  assert.deepEqual(events, ['history-dropped'])
})

test('a failing store is logged once, and its recovery once; meanwhile counts are assessed', async t => {
  const store = (await temporaryStore(t)).readings
  const feed = madeUpFeed(NOW - 30 * DAY_MS, NOW)
  await store.saveHistory(readingsOf(feed))
  let isBroken = true
  const failing = {
    ...store,
    readings: (range: Parameters<typeof store.readings>[0]) =>
      isBroken ? Promise.reject(new Error('disk I/O error')) : store.readings(range),
  }
  const { parking, events, observe } = makeParking(t, failing, NOW)
  const known = () => {
    const { quality, carParks, typical } = parking.model()
    return [quality('A').observedAt, carParks().length, typical('A').reason !== null]
  }
  await parking.start()
  for (let n = 0; n < 3; n++) {
    observe(observed(NOW - SOON + n, [liveEntry('A', 5)]))
    await parking.refresh()
  }
  assert.deepEqual(events, ['history-not-read'])
  assert.deepEqual(known(), [NOW - SOON + 2, 1, true])
  isBroken = false
  await parking.refresh()
  await parking.refresh()
  assert.deepEqual(events, ['history-not-read', 'history-read-again'])
  assert.deepEqual(known(), [NOW - SOON + 2, 3, false])
  isBroken = true
  await parking.refresh()
  assert.equal(events.length, 2, 'what is learned is not read again')
  await store.saveHistory([{ ...FORMER, at: NOW - 100 * DAY_MS }])
  await parking.refresh()
  assert.deepEqual(events.slice(2), ['history-not-read'])
  assert.equal(parking.model().typical('A').reason, null, 'what was known stays known')
})
