import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, STEP_MS } from '../../../test/support/made-up-counts.ts'
import { liveEntry, madeUpFeed, observed, readingsOf } from '../../../test/support/made-up-feed.ts'
import { temporaryStore } from '../../../test/support/service.ts'
import { makeWatch } from '../../../test/support/watching.ts'
import type { CarParkRecords } from '../quality/assessment.ts'

const NOW = Date.parse('2025-06-30T12:00:00Z')
const SOON = STEP_MS / 5
const FORMER = { code: 'A', name: 'A', spaces: 1, open: null, status: null }

test('an import beside a running watch is taken in, and listeners are told once', async t => {
  const store = (await temporaryStore(t)).readings
  const { watch } = makeWatch(t, store, NOW)
  let told = 0
  watch.subscribe(() => told++)
  await watch.start()
  assert.deepEqual([told, watch.version()], [1, 1])
  watch.observe(observed(NOW - SOON, [liveEntry('b', 10), liveEntry('A', 5, { name: 'Here' })]))
  const typical = () => 'reason' in watch.typical('A')
  assert.deepEqual([told, typical()], [2, true])

  await store.saveHistory(readingsOf(madeUpFeed(NOW - 30 * DAY_MS, NOW - DAY_MS, { codes: ['A', 'C'] })))
  await watch.look()
  assert.deepEqual([told, typical()], [3, false])
  assert.deepEqual(watch.counted(), [
    { code: 'A', name: 'Here' },
    { code: 'b', name: 'Car park b' },
    { code: 'C', name: 'Car park C' },
  ])
  // The feed's own last word still is the last.
  assert.equal(watch.verdict('B').observedAt, NOW - SOON)
  assert.equal(watch.verdict('C').quality, 'missing')
  await watch.look()
  assert.deepEqual([told, watch.version()], [3, 3])
})

test('a count that becomes stale by time alone is told once, and so is a record that comes', async t => {
  let records: CarParkRecords = new Map([['A', 400]])
  const { watch, at } = makeWatch(t, (await temporaryStore(t)).readings, NOW, { records: () => records })
  await watch.start()
  watch.observe(observed(NOW, [liveEntry('A', 5), liveEntry('TEST', 100)]))
  let told = 0
  const end = watch.subscribe(() => told++)
  const lookAt = async (time: number) => {
    at(time)
    await watch.look()
    return [told, watch.verdict('A').quality, watch.verdict('TEST').reason]
  }
  assert.deepEqual(await lookAt(NOW + 15 * 60_000), [0, 'good', 'no-car-park-record'])
  records = new Map([...records, ['TEST', null]])
  assert.deepEqual(await lookAt(NOW + 15 * 60_000), [1, 'good', 'nothing-suspicious'])
  assert.deepEqual(await lookAt(NOW + 15 * 60_000 + 1), [2, 'stale', 'reading-too-old'])
  assert.deepEqual(await lookAt(NOW + 16 * 60_000), [2, 'stale', 'reading-too-old'])
  end()
  watch.observe(observed(NOW + 16 * 60_000, [liveEntry('A', 6)]))
  assert.equal(told, 2)
})

test('a listener that throws is logged, and the others are told', async t => {
  const { watch, events } = makeWatch(t, (await temporaryStore(t)).readings, NOW)
  let told = 0
  watch.subscribe(() => {
    throw new Error('a client went away')
  })
  watch.subscribe(() => told++)
  await watch.start()
  watch.observe(observed(NOW, [liveEntry('A', 5)]))
  assert.deepEqual([told, events], [2, ['listener-fault', 'listener-fault']])
})

test('what is too old is dropped, listeners are told, and a car park of which nothing is left is named no more', async t => {
  const store = (await temporaryStore(t)).readings
  await store.saveHistory(readingsOf(madeUpFeed(NOW - 20 * DAY_MS, NOW - 15 * DAY_MS, { codes: ['OLD'] })))
  await store.saveHistory(readingsOf(madeUpFeed(NOW - 12 * DAY_MS, NOW - DAY_MS, { codes: ['A'] })))
  const { watch, events, at } = makeWatch(t, store, NOW, { keepDays: 10 })
  let told = 0
  watch.subscribe(() => told++)
  const codes = () => watch.counted().map(({ code }) => code)
  await watch.start()
  assert.deepEqual([codes(), told, events], [['A'], 2, ['history-dropped']])
  assert.equal((await store.keptHistory())[0]?.first, NOW - 10 * DAY_MS)

  // The feed goes on naming it: it is named, also where nothing of it is kept yet.
  watch.observe(observed(NOW, [liveEntry('OLD', 5)]))
  at(NOW + 59 * 60_000)
  await watch.look()
  assert.equal((await store.keptHistory())[0]?.first, NOW - 10 * DAY_MS, 'not looked for every time')
  at(NOW + 60 * 60_000)
  await watch.look()
  assert.equal((await store.keptHistory())[0]?.first, NOW - 10 * DAY_MS + 60 * 60_000)
  assert.deepEqual(codes(), ['A', 'OLD'])
})

test('where it is for another to drop, nothing is dropped, but what the other dropped is named no more', async t => {
  const store = (await temporaryStore(t)).readings
  await store.saveHistory(readingsOf(madeUpFeed(NOW - 20 * DAY_MS, NOW - 15 * DAY_MS, { codes: ['OLD'] })))
  await store.saveHistory(readingsOf(madeUpFeed(NOW - 12 * DAY_MS, NOW - DAY_MS, { codes: ['A'] })))
  let mayDrop = false
  const { watch, events, at } = makeWatch(t, store, NOW, { keepDays: 10, mayDrop: () => mayDrop })
  const codes = () => watch.counted().map(({ code }) => code)
  await watch.start()
  assert.deepEqual([codes(), events], [['A', 'OLD'], []])
  await store.dropHistory(NOW - 15 * DAY_MS)
  at(NOW + 60 * 60_000)
  await watch.look()
  assert.deepEqual([codes(), events], [['A'], []])
  // Whoever takes over does not wait for an hour.
  mayDrop = true
  await watch.look()
  assert.deepEqual(events, ['history-dropped'])
})

test('a store that fails is told of once, and once that it is back; meanwhile the feed is judged', async t => {
  const store = (await temporaryStore(t)).readings
  const feed = madeUpFeed(NOW - 30 * DAY_MS, NOW)
  await store.saveHistory(readingsOf(feed))
  let isBroken = true
  const failing = {
    ...store,
    readings: (range: Parameters<typeof store.readings>[0]) =>
      isBroken ? Promise.reject(new Error('disk I/O error')) : store.readings(range),
  }
  const { watch, events } = makeWatch(t, failing, NOW)
  await watch.start()
  for (let n = 0; n < 3; n++) {
    watch.observe(observed(NOW - SOON + n, [liveEntry('A', 5)]))
    await watch.look()
  }
  assert.deepEqual(events, ['history-not-read'])
  assert.deepEqual(
    [watch.verdict('A').observedAt, watch.counted().length, 'reason' in watch.typical('A')],
    [NOW - SOON + 2, 1, true],
  )
  isBroken = false
  await watch.look()
  await watch.look()
  assert.deepEqual(events, ['history-not-read', 'history-read-again'])
  assert.deepEqual(
    [watch.verdict('A').observedAt, watch.counted().length, 'reason' in watch.typical('A')],
    [NOW - SOON + 2, 3, false],
  )
  isBroken = true
  await watch.look()
  assert.equal(events.length, 2, 'what is learned is not read again')
  await store.saveHistory([{ ...FORMER, at: NOW - 100 * DAY_MS }])
  await watch.look()
  assert.deepEqual(events.slice(2), ['history-not-read'])
  assert.equal('reason' in watch.typical('A'), false, 'what was known stays known')
})
