import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY_MS, STEP_MS } from '../../test/support/made-up-counts.ts'
import { madeUpFeed, readingsOf, timeOf } from '../../test/support/made-up-feed.ts'
import { makeParking } from '../../test/support/parking-service.ts'
import { temporaryStore } from '../../test/support/service.ts'
import type { Observation, ReadingStore } from '../store/store.ts'
import type { ParkingService } from './service.ts'

const START = Date.parse('2025-06-02T00:00:00Z')
const END = START + 30 * DAY_MS + DAY_MS / 2
const FEED = madeUpFeed(START, END)
const LAST = timeOf(FEED.at(-1) as Observation)

const said = (parking: ParkingService) => [
  [...parking.model().qualities()],
  ['A', 'B', 'C'].map(code => [
    parking.model().forecast(code),
    parking.model().typical(code),
    parking.model().trend(code),
  ]),
  parking.model().carParks(),
]

/** The public state of a service that observed the whole feed live. */
async function allSeenLive(t: TestContext): Promise<unknown> {
  const { parking, observe } = makeParking(t, (await temporaryStore(t)).readings, LAST + 20_000)
  await parking.start()
  for (const observation of FEED) observe(observation)
  return said(parking)
}

/** A promise that `open` resolves. */
function opening(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { opened, open: () => open() }
}

/** A store that holds back its readings until they are released; `asked` resolves once they are requested. */
function heldUp(t: TestContext, store: ReadingStore) {
  const [asked, gate] = [opening(), opening()]
  // A pending promise alone does not keep the process alive.
  const alive = setInterval(() => {}, 60_000)
  t.after(() => clearInterval(alive))
  let reads = 0
  const held = {
    ...store,
    async readings(range: Parameters<ReadingStore['readings']>[0]) {
      reads++
      asked.open()
      await gate.opened
      return store.readings(range)
    },
  }
  return { store: held, asked: asked.opened, letGo: () => gate.open(), reads: () => reads }
}

test('a start does not wait for a slow store; readings in the meantime are neither lost nor used twice', async t => {
  const store = (await temporaryStore(t)).readings
  await store.saveHistory(readingsOf(FEED.slice(0, -6)))
  const slow = heldUp(t, store)
  const { parking, at, observe } = makeParking(t, slow.store, timeOf(FEED.at(-6) as Observation), {
    startWithinMs: 1,
  })
  await parking.start()
  assert.deepEqual(parking.model().carParks(), [])
  const versions = [parking.version()]
  for (const [place, observation] of FEED.slice(-6).entries()) {
    at(timeOf(observation) + 20_000)
    observe(observation)
    // Half of them are saved before the store is read.
    if (place % 2 === 0) await store.saveObservation(observation)
  }
  versions.push(parking.version())
  assert.deepEqual(
    [
      parking.model().quality('A').observedAt,
      parking.model().quality('A').reason,
      parking.model().trend('A'),
    ],
    [LAST, 'history-not-read', null],
  )
  slow.letGo()
  await parking.refresh()
  assert.deepEqual(said(parking), await allSeenLive(t))
  assert.deepEqual([...versions, parking.version()], [0, 6, 7])
})

test('an observation that was not saved yet when an import is read is not lost', async t => {
  const store = (await temporaryStore(t)).readings
  const { parking, observe } = makeParking(t, store, LAST + 20_000)
  await parking.start()
  for (const observation of FEED.slice(-2)) observe(observation)
  await store.saveHistory(readingsOf(FEED.slice(0, -1)))
  await parking.refresh()
  assert.deepEqual(said(parking), await allSeenLive(t))
})

test('an import while another one is read is read in its turn', async t => {
  const store = (await temporaryStore(t)).readings
  await store.saveHistory(readingsOf(FEED.slice(0, 100)))
  const slow = heldUp(t, store)
  const { parking } = makeParking(t, slow.store, LAST + 20_000)
  const started = parking.start()
  await slow.asked
  await store.saveHistory(readingsOf(FEED.slice(100)))
  slow.letGo()
  await started
  await parking.refresh()
  assert.deepEqual(said(parking), await allSeenLive(t))
})

test('refreshes run one after another, however they are requested', async t => {
  const store = (await temporaryStore(t)).readings
  await store.saveHistory(readingsOf(FEED))
  const slow = heldUp(t, store)
  const { parking, events } = makeParking(t, slow.store, LAST + 20_000)
  const looks = [parking.start(), parking.refresh(), parking.refresh()]
  await slow.asked
  slow.letGo()
  await Promise.all(looks)
  assert.ok(
    slow.reads() >= 84 * 4 && slow.reads() <= 84 * 4 + 1,
    `${slow.reads()} quarters of days read, once each`,
  )
  assert.deepEqual([events, parking.version()], [[], 1])
})

test('stopping ends the running refresh silently, and nothing follows', async t => {
  const store = (await temporaryStore(t)).readings
  await store.saveHistory(readingsOf(FEED))
  const slow = heldUp(t, store)
  const { parking, events } = makeParking(t, slow.store, LAST + STEP_MS, { startWithinMs: 1, keepDays: 3 })
  await parking.start()
  await slow.asked
  const stopped = parking.stop()
  slow.letGo()
  await stopped
  await parking.refresh()
  assert.deepEqual([slow.reads(), events, parking.version()], [1, [], 0])
  assert.equal((await store.keptHistory())[0]?.first, START, 'nothing was dropped')
})

test('observations that were missed are learned from the store, as if they had been seen', async t => {
  const store = (await temporaryStore(t)).readings
  const { parking, at, observe, miss } = makeParking(t, store, LAST + 20_000)
  await store.saveHistory(readingsOf(FEED.slice(0, -20)))
  await parking.start()
  for (const observation of FEED.slice(-20)) await store.saveObservation(observation)
  // Another process observed all but the last, and this one only the last.
  at(LAST + 20_000)
  observe(FEED.at(-1) as Observation)
  await parking.refresh()
  assert.notDeepEqual(said(parking), await allSeenLive(t))
  miss()
  await parking.refresh()
  assert.deepEqual(said(parking), await allSeenLive(t))
})

test('readings missed during a rebuild are used by the next refresh', async t => {
  const store = (await temporaryStore(t)).readings
  await store.saveHistory(readingsOf(FEED.slice(0, 10)))
  const slow = heldUp(t, store)
  const { parking, miss } = makeParking(t, slow.store, LAST + 20_000, { startWithinMs: 1 })
  await parking.start()
  await slow.asked
  miss()
  slow.letGo()
  await parking.refresh()
  const reads = slow.reads()
  await parking.refresh()
  assert.equal(slow.reads(), reads, 'once is enough')
  miss()
  await parking.refresh()
  assert.ok(slow.reads() > reads)
})
