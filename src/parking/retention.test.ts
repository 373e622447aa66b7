import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type TestContext, test } from 'node:test'
import { DAY_MS, HOUR_MS, STEP_MS } from '../../test/support/made-up-counts.ts'
import { liveEntry, madeUpFeed, observed, readingsOf } from '../../test/support/made-up-feed.ts'
import { temporaryStore } from '../../test/support/service.ts'
import type { HistoricReading, ReadingStore } from '../store/store.ts'
import { dropOldReadings } from './retention.ts'

const NOW = Date.parse('2025-06-30T12:20:00Z')
const ALL = { from: 0, to: NOW + DAY_MS }
const signal = new AbortController().signal

async function filled(
  t: TestContext,
  days: number,
): Promise<{ store: ReadingStore; readings: HistoricReading[] }> {
  const store = (await temporaryStore(t)).readings
  const readings = readingsOf(madeUpFeed(NOW - days * DAY_MS, NOW, { codes: ['A', 'B'] }))
  await store.saveHistory(readings)
  return { store, readings }
}

test('exactly the older readings are deleted, and the rollup of the boundary hour is recomputed', async t => {
  const { store, readings } = await filled(t, 9)
  const now = NOW + 90_000
  const bound = now - 4 * DAY_MS
  const kept = readings.filter(({ at }) => at >= bound)
  assert.equal(await dropOldReadings(store, { now, keepDays: 4, signal }), readings.length - kept.length)
  assert.deepEqual(await store.readings(ALL), kept)
  const hour = Math.floor(bound / HOUR_MS) * HOUR_MS
  const inHour = kept
    .filter(({ at, code }) => code === 'A' && at < hour + HOUR_MS)
    .map(({ spaces }) => spaces)
  const [first] = await store.summaries({ ...ALL, code: 'A' }, 'hour')
  assert.deepEqual(first, {
    code: 'A',
    from: hour,
    min: Math.min(...inHour),
    max: Math.max(...inHour),
    last: inHour.at(-1),
    sum: inHour.reduce((sum, spaces) => sum + spaces),
    count: inHour.length,
  })
  assert.equal(inHour.length, 7)
  assert.equal(await dropOldReadings(store, { now, keepDays: 4, signal }), 0)
})

test('a year is deleted day by day, with turns for other work in between', async t => {
  const { store, readings } = await filled(t, 60)
  const bounds: number[] = []
  let turns = 0
  const counted = {
    ...store,
    dropHistory(before: number) {
      bounds.push(before)
      setImmediate(() => turns++)
      return store.dropHistory(before)
    },
  }
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const dropped = await dropOldReadings(counted, { now: NOW, keepDays: 1, signal })
  delay.disable()
  t.diagnostic(
    `${dropped} readings in ${bounds.length} steps, the longest turn ${(delay.max / 1e6).toFixed(0)} ms`,
  )
  assert.equal(dropped, readings.length - (2 * DAY_MS) / STEP_MS)
  assert.deepEqual([bounds.length, turns], [59, 59])
  assert.ok(bounds.every((bound, place) => bound - (bounds[place - 1] ?? NOW - 60 * DAY_MS) <= DAY_MS))
})

test('the last observation of the feed stays, however old, so that a restarted service shows it', async t => {
  const { store } = await filled(t, 60)
  const last = observed(NOW - 40 * DAY_MS + 1, [liveEntry('A', 7), liveEntry('TEST', 100)])
  await store.saveObservation(observed(NOW - 41 * DAY_MS + 1, [liveEntry('A', 8)]))
  await store.saveObservation(last)
  await dropOldReadings(store, { now: NOW, keepDays: 10, signal })
  assert.deepEqual(await store.latestObservation(), last)
  assert.equal((await store.readings(ALL))[0]?.at, Date.parse(last.timestamp))
  // Once the feed is back, the reading is deleted like any other.
  await store.saveObservation(observed(NOW - STEP_MS + 1, [liveEntry('A', 9)]))
  await dropOldReadings(store, { now: NOW, keepDays: 10, signal })
  assert.equal((await store.readings(ALL))[0]?.at, NOW - 10 * DAY_MS)
  assert.deepEqual(
    (await store.keptHistory()).map(({ code }) => code),
    ['A', 'B'],
  )
})

test('an empty store, and one with nothing that is too old, is left alone', async t => {
  const empty = (await temporaryStore(t)).readings
  assert.equal(await dropOldReadings(empty, { now: NOW, keepDays: 1, signal }), 0)
  const { store, readings } = await filled(t, 2)
  assert.equal(await dropOldReadings(store, { now: NOW, keepDays: 2, signal }), 0)
  assert.equal((await store.readings(ALL)).length, readings.length)
})

test('an aborted deletion ends after the current step', async t => {
  const { store } = await filled(t, 9)
  const stopping = new AbortController()
  const stops = {
    ...store,
    dropHistory(before: number) {
      stopping.abort()
      return store.dropHistory(before)
    },
  }
  await assert.rejects(dropOldReadings(stops, { now: NOW, keepDays: 1, signal: stopping.signal }), {
    name: 'AbortError',
  })
  assert.equal((await store.keptHistory())[0]?.first, NOW - 8 * DAY_MS)
})
