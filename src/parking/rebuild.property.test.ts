import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DAY_MS, HOUR_MS } from '../../test/support/made-up-counts.ts'
import { liveEntry, madeUpFeed, readingsOf, timeOf } from '../../test/support/made-up-feed.ts'
import { makeParking, type TimedParking } from '../../test/support/parking-service.ts'
import { temporaryStore } from '../../test/support/service.ts'
import type { LiveEntry, Observation } from '../store/store.ts'
import { localClock } from './local-clock.ts'
import type { ParkingService } from './service.ts'

const clock = localClock('Europe/Jersey')

/** The public state of a service at a time; forecasts and typical weeks cost more and are compared less often. */
const said = (parking: ParkingService, withOutlook: boolean) => ({
  verdicts: [...parking.model().qualities()],
  trends: ['A', 'B', 'C'].map(parking.model().trend),
  untrusted: withOutlook
    ? ['A', 'B', 'C', 'TEST'].map(code => parking.model().untrusted(code, 0, Number.POSITIVE_INFINITY))
    : [],
  outlook: withOutlook
    ? ['A', 'B', 'C', 'TEST', 'nobody'].map(code => [
        parking.model().forecast(code),
        parking.model().typical(code),
      ])
    : [],
})

/** The faults of a real feed: a stuck count, outliers, a car park closed or not listed, days without readings. */
function spoilt(feed: readonly Observation[], start: number): Observation[] {
  const within = (at: number, day: number, hours: number, length: number) =>
    at >= start + day * DAY_MS + hours * HOUR_MS && at < start + day * DAY_MS + (hours + length) * HOUR_MS
  const entry = (one: LiveEntry, at: number): LiveEntry[] => {
    if (one.code !== 'A' && within(at, 25, 9, 40)) return [{ ...one, spaces: 77 }]
    if (one.code === 'A' && within(at, 30, 10, 0.25)) return [{ ...one, spaces: 0 }]
    if (one.code === 'C' && within(at, 32, 6, 12)) return [{ ...one, open: false }]
    if (one.code === 'B' && within(at, 33, 6, 12)) return []
    return [one]
  }
  return feed
    .filter(observation => !within(timeOf(observation), 28, 3, 30))
    .map(observation => ({
      ...observation,
      entries: [
        ...observation.entries.flatMap(one => entry(one, timeOf(observation))),
        ...(within(timeOf(observation), 20, 0, 200) ? [liveEntry('TEST', 100)] : []),
      ],
    }))
}

for (const [what, first] of [
  ['the clocks going forward', '2025-02-20T00:00:00Z'],
  ['the clocks going back', '2025-09-20T00:00:00Z'],
  ['New Year', '2024-11-24T00:00:00Z'],
] as const)
  test(`a model rebuilt from the store, split anywhere, equals the live model, over ${what}`, async t => {
    const start = Date.parse(first)
    const feed = spoilt(madeUpFeed(start, start + 40 * DAY_MS, { clock }), start)
    const store = (await temporaryStore(t)).readings
    const expected: ReturnType<typeof said>[] = []
    const step = (watching: TimedParking, place: number) => {
      const observation = feed[place] as Observation
      watching.at(timeOf(observation) + 20_000)
      watching.observe(observation)
      return said(watching.parking, place % 300 === 0 || place === feed.length - 1)
    }
    const reference = makeParking(t, store, start)
    await reference.parking.refresh()
    for (const place of feed.keys()) expected.push(step(reference, place))
    assert.ok(expected.some(({ verdicts }) => verdicts.some(([, { quality }]) => quality === 'frozen')))
    assert.equal(new Set(expected.flatMap(({ trends }) => trends)).size, 4)
    const found = expected
      .at(-1)
      ?.untrusted.map(spans => [...new Set(spans.map(({ quality }) => quality))].sort())
    assert.deepEqual(found, [
      ['implausible'],
      ['frozen', 'implausible'],
      ['closed', 'frozen', 'implausible'],
      ['frozen'],
    ])
    assert.ok(expected.at(-1)?.outlook.some(([forecast]) => forecast?.reason === null))

    await store.saveHistory(readingsOf(feed))
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: feed.length - 2 }), async split => {
        const watching = makeParking(t, store, timeOf(feed[split] as Observation) + 20_000)
        await watching.parking.refresh()
        assert.deepEqual(said(watching.parking, false).verdicts, expected[split]?.verdicts)
        for (let place = split + 1; place < feed.length; place++)
          assert.deepEqual(step(watching, place), expected[place], `${place} from ${split}`)
      }),
      { numRuns: 2, examples: [[0], [25 * 288 + 150]] },
    )
  })
