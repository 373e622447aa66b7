import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { DAY_MS, HOUR_MS, STEP_MS } from '../../test/support/made-up-counts.ts'
import { liveEntry, madeUpFeed, timeOf } from '../../test/support/made-up-feed.ts'
import type { LiveEntry, Observation } from '../store/store.ts'
import { localClock } from './local-clock.ts'
import { createModel, type ParkingModel } from './model.ts'
import type { DataQualityOptions } from './quality/data-quality.ts'

/* A process of its own: it measures memory after collections, which take long where other tests have left much. */

const clock = localClock('Europe/Jersey')
/** A Monday. */
const FIRST = Date.parse('2025-06-02T00:00:00Z')
/** A model at the time of the last listing that it was given. */
function modelOf(options: Partial<DataQualityOptions> = {}): ParkingModel {
  let now = 0
  const model = createModel({ clock, records: () => undefined, now: () => now, ...options }, [])
  return {
    ...model,
    observe(listing) {
      now = Math.max(now, listing.at)
      model.observe(listing)
    },
  }
}

function take(model: ParkingModel, feed: readonly Observation[]): void {
  for (const observation of feed) model.observe({ at: timeOf(observation), entries: observation.entries })
}

/** The feed with the entries of an interval replaced. */
const changed = (
  feed: readonly Observation[],
  from: number,
  to: number,
  change: (entry: LiveEntry) => LiveEntry,
) =>
  feed.map(observation =>
    timeOf(observation) >= from && timeOf(observation) < to
      ? { ...observation, entries: observation.entries.map(change) }
      : observation,
  )

/** The number of days and the median count of a typical day at a local time. */
function typicalAt(model: ParkingModel, code: string, kind: string, quarter: number) {
  const week = model.typical(code)
  assert.equal(week.reason, null)
  return week.results.find(day => day.day === kind)?.quarters[quarter]
}

test('a freeze is found late, and then nothing that was learned since it began is left', () => {
  const feed = madeUpFeed(FIRST, FIRST + 36 * DAY_MS, { codes: ['A'], clock })
  // The fifth Wednesday, from nine until six by the clock.
  const [from, to] = [FIRST + 30 * DAY_MS + 8 * HOUR_MS, FIRST + 30 * DAY_MS + 17 * HOUR_MS]
  const frozen = changed(feed, from, to, entry => ({ ...entry, spaces: 333 }))
  const model = modelOf()
  const until = (time: number) => frozen.filter(observation => timeOf(observation) < time)

  take(model, until(from + HOUR_MS))
  assert.equal(model.quality('a').quality, 'good', 'not found yet')
  assert.equal(typicalAt(model, 'A', 'wednesday', 4 * 9 + 2)?.days, 5, 'so it was learned')

  take(model, until(from + 4 * HOUR_MS))
  const { quality, since } = model.quality('A')
  assert.equal(quality, 'frozen')
  assert.ok(since !== null && Math.abs(since - from) <= 2 * STEP_MS, new Date(since ?? 0).toISOString())
  assert.deepEqual(model.forecast('A'), {
    from: null,
    results: [],
    reason: 'COUNT_NOT_TRUSTED',
    detail: 'This counter appears to be stuck: it has hardly changed at a time when it normally does.',
  })

  take(model, frozen)
  assert.equal(model.quality('A').quality, 'good')
  for (const quarter of [4 * 9 + 2, 4 * 12, 4 * 17 + 3])
    assert.equal(typicalAt(model, 'A', 'wednesday', quarter)?.days, 4, `quarter ${quarter}`)
  assert.equal(typicalAt(model, 'A', 'wednesday', 4 * 7)?.days, 5)

  // A model of the same feed without those hours is equal.
  const without = modelOf()
  take(
    without,
    frozen.filter(observation => timeOf(observation) < from - STEP_MS || timeOf(observation) >= to + HOUR_MS),
  )
  const [one, other] = [model.forecast('A'), without.forecast('A')]
  assert.deepEqual([one.reason, other.reason, one.results.length], [null, null, 4])
  for (const [place, { expected }] of one.results.entries())
    assert.ok(Math.abs(expected - (other.results[place]?.expected ?? Number.NaN)) <= 3)
})

test('an entry without a record is implausible until it gets one, and then all of its past counts', () => {
  let records = new Map<string, number | null>([['A', 400]])
  const model = modelOf({ records: () => records })
  const feed = madeUpFeed(FIRST, FIRST + 30 * DAY_MS, { codes: ['A', 'Test'], clock })
  take(model, feed)
  assert.equal(model.quality('TEST').reason, 'no-car-park-record')
  assert.equal(model.quality('A').quality, 'good')
  records = new Map([...records, ['TEST', 400]])
  assert.equal(model.quality('test').quality, 'good')
  assert.equal(model.forecast('tesT').reason, null)
})

test('an observation of the same time, or an earlier one, changes nothing', () => {
  const feed = madeUpFeed(FIRST, FIRST + 20 * DAY_MS, { clock })
  const model = modelOf()
  take(model, feed)
  const end = timeOf(feed.at(-1) as Observation)
  const said = () => [[...model.qualities()], model.forecast('A'), model.typical('B')]
  const before = said()
  model.observe({ at: end, entries: [liveEntry('A', 3), liveEntry('D', 9)] })
  model.observe({ at: end - DAY_MS, entries: [liveEntry('B', 3)] })
  assert.deepEqual(said(), before)
})

test('bank holidays are those of the island, and no other place has them', () => {
  // Liberation Day 2025 was a Friday; with Good Friday, Easter Monday and Early May there are four in these weeks.
  const [from, to] = [Date.parse('2025-04-07T00:00:00Z'), Date.parse('2025-05-12T00:00:00Z')]
  const holidaysIn = (timeZone: string) => {
    const model = modelOf({ clock: localClock(timeZone) })
    take(model, madeUpFeed(from, to, { codes: ['A'] }))
    const week = model.typical('A')
    assert.equal(week.reason, null)
    return week.results.find(({ day }) => day === 'bank-holiday')?.days
  }
  assert.deepEqual([holidaysIn('Europe/Jersey'), holidaysIn('Europe/London'), holidaysIn('UTC')], [4, 0, 0])
})

test('a requested unknown code takes no memory, and endlessly changing codes take bounded memory', async () => {
  const model = modelOf()
  const list = (round: number) =>
    model.observe({
      at: FIRST + round * STEP_MS,
      entries: Array.from({ length: 500 }, (_, n) => liveEntry(`${round} ${n}`, n)),
    })
  const before = await bufferMb()
  for (let n = 0; n < 3000; n++) model.typical(`nobody ${n}`)
  assert.ok((await bufferMb()) - before < 5)
  for (const round of [1, 2, 3]) list(round)
  const full = await bufferMb()
  for (const round of [4, 5, 6]) list(round)
  const then = await bufferMb()
  assert.ok(then - full < 5, `${full} MB, then ${then} MB`)
})

/** The memory of buffers in use: the least after several collections, since buffers are freed a turn or more later. */
async function bufferMb(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < 20; n++) {
    collect()
    await nextTurn()
    least = Math.min(least, process.memoryUsage().arrayBuffers / 1e6)
  }
  return least
}
