import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  counts,
  DAY_MS,
  every,
  experienced,
  feed,
  HOUR_MS,
  MONDAY,
  mondayUntil,
  qualities,
  reading,
  STEP_MS,
  standing,
  UTC_CLOCK,
  workingCarPark,
} from '../../../test/support/made-up-counts.ts'

describe('a count that stands still', () => {
  it('is nothing while the car park works, by day and by night', () => {
    every(experienced().past, 'good')
  })

  it('is frozen within 90 minutes of daytime, since its last change', () => {
    const { judge, at, spaces } = mondayUntil(10)
    const verdicts = feed(judge, standing(at + STEP_MS, at + 6 * HOUR_MS, spaces + 3))
    const found = verdicts.find(({ quality }) => quality === 'frozen')
    assert.equal(found?.reason, 'standing-still')
    assert.equal(found?.changedAt, at + STEP_MS)
    assert.ok((found?.since ?? 0) <= at + STEP_MS)
    assert.ok((found?.observedAt ?? Number.POSITIVE_INFINITY) - at <= 90 * 60_000)
    assert.equal(verdicts.at(-1)?.quality, 'frozen')
    assert.equal(verdicts.at(-1)?.since, found?.since)
  })

  it('is not yet frozen after an hour', () => {
    const { judge, at, spaces } = mondayUntil(10)
    every(feed(judge, standing(at + STEP_MS, at + HOUR_MS, spaces)), 'good')
  })

  it('is no fault in a quiet night, however long', () => {
    const { judge, at, spaces } = mondayUntil(21)
    every(feed(judge, standing(at + STEP_MS, at + 9.5 * HOUR_MS, spaces)), 'good')
  })

  it('is no fault by night even where the count normally moves by night', () => {
    const { judge, last } = experienced({}, { moves: () => 0.85 })
    const evening = MONDAY + 21 * HOUR_MS
    const spaces = [...workingCarPark(MONDAY, evening, { seed: 2, moves: () => 0.85 })]
    every(feed(judge, spaces), 'good')
    every(feed(judge, standing(evening, evening + 10 * HOUR_MS, spaces.at(-1)?.spaces ?? last)), 'good')
  })

  it('by night is found soon in the morning', () => {
    const { judge, at, spaces } = mondayUntil(23)
    const verdicts = feed(judge, standing(at + STEP_MS, at + 12 * HOUR_MS, spaces))
    const found = verdicts.find(({ quality }) => quality === 'frozen')?.observedAt ?? Number.NaN
    const seven = MONDAY + DAY_MS + 7 * HOUR_MS
    assert.ok(found >= seven && found <= seven + 70 * 60_000, new Date(found).toISOString())
  })

  it('is no fault on a day of its kind on which it does not move', () => {
    const moves = (weekday: number, hour: number) =>
      weekday === 0 ? 0.02 : hour < 7 || hour >= 21 ? 0.1 : 0.85
    const { judge, past } = experienced({}, { moves })
    const sundays = past.filter(({ observedAt }) => new Date(observedAt ?? 0).getUTCDay() === 0)
    every(sundays.slice(-288), 'good')
    const last = past.at(-1)?.observedAt ?? Number.NaN
    const sunday = MONDAY + 6 * DAY_MS
    feed(judge, workingCarPark(last + STEP_MS, sunday, { seed: 3, moves }))
    every(feed(judge, standing(sunday + HOUR_MS, sunday + DAY_MS, 300)).slice(12), 'good')
  })

  it('on a bank holiday is judged as on a Sunday', () => {
    const moves = (weekday: number, hour: number) =>
      weekday === 0 ? 0.02 : hour < 7 || hour >= 21 ? 0.1 : 0.85
    const onMonday = (isBankHoliday: (day: number) => boolean) => {
      const { judge, last } = experienced({ clock: { ...UTC_CLOCK, isBankHoliday } }, { moves })
      return qualities(feed(judge, standing(MONDAY, MONDAY + 20 * HOUR_MS, last)))
    }
    assert.ok(onMonday(() => false).includes('frozen'))
    assert.ok(!onMonday(day => day === MONDAY / DAY_MS).includes('frozen'))
  })

  it('is no fault at 0 where the car park is full every morning', () => {
    const fills = { tendsTo: (_: number, hour: number) => (hour >= 7 && hour < 15 ? -40 : 300) }
    const { judge, past } = experienced({}, fills)
    const lastWeek = past.slice(-2016)
    assert.deepEqual([...new Set(qualities(lastWeek))], ['good'])
    const tuesday = MONDAY + DAY_MS
    feed(judge, workingCarPark(MONDAY, tuesday + 11 * HOUR_MS, { seed: 4, ...fills }))
    every(feed(judge, standing(tuesday + 11 * HOUR_MS, tuesday + 15 * HOUR_MS, 0)), 'good')
  })

  it('is no fault for hours at 0, though at 0 it was never long before', () => {
    const fills = { tendsTo: (_: number, hour: number) => (hour >= 7 && hour < 15 ? 0 : 300) }
    const { judge } = experienced({}, fills)
    const noon = MONDAY + 12 * HOUR_MS
    every(feed(judge, workingCarPark(MONDAY, noon, { seed: 4, ...fills })), 'good')
    every(feed(judge, standing(noon, noon + 3 * HOUR_MS, 0)), 'good')
  })

  it('and stirs once in an hour is frozen all the same', () => {
    const { judge, at, spaces } = mondayUntil(9)
    const verdicts = feed(
      judge,
      counts(
        at + STEP_MS,
        Array.from({ length: 72 }, (_, i) => spaces + Math.floor(i / 12)),
      ),
    )
    every(verdicts.slice(48), 'frozen')
  })
})

describe('a frozen count', () => {
  function frozen() {
    const { judge, at, spaces } = mondayUntil(10)
    const stood = standing(at + STEP_MS, at + 3 * HOUR_MS, spaces)
    every(feed(judge, stood).slice(-1), 'frozen')
    return { judge, at: stood.at(-1)?.at ?? Number.NaN, spaces }
  }

  it('is not good again by one change', () => {
    const { judge, at, spaces } = frozen()
    every(feed(judge, counts(at + STEP_MS, [spaces + 1, spaces + 1])), 'frozen')
  })

  it('is good again after it has moved four times, and then has no past', () => {
    const { judge, at, spaces } = frozen()
    const verdicts = feed(
      judge,
      counts(
        at + STEP_MS,
        [1, 4, 2, 6].map(change => spaces + change),
      ),
    )
    assert.deepEqual(qualities(verdicts), ['frozen', 'frozen', 'frozen', 'good'])
    assert.equal(verdicts.at(-1)?.since, at + 4 * STEP_MS)
    every(feed(judge, standing(at + 5 * STEP_MS, at + HOUR_MS, spaces + 6)), 'good')
  })

  it('is good again when readings come back elsewhere after a gap', () => {
    const { judge, at, spaces } = frozen()
    assert.equal(judge.observe(reading(at + 5 * HOUR_MS, spaces + 40)).quality, 'good')
  })

  it('stays frozen when readings come back the same after a gap', () => {
    const { judge, at, spaces } = frozen()
    assert.equal(judge.observe(reading(at + 5 * HOUR_MS, spaces)).quality, 'frozen')
  })

  it('does not teach that standing still is normal', () => {
    const { judge, at, spaces } = mondayUntil(10)
    const threeWeeks = 21 * DAY_MS
    feed(judge, standing(at + STEP_MS, at + threeWeeks, spaces))
    const noon = at + threeWeeks + 3 * HOUR_MS
    feed(judge, workingCarPark(at + threeWeeks, noon, { seed: 5 }))
    const verdicts = feed(judge, standing(noon, noon + 80 * 60_000, 90))
    assert.equal(verdicts.at(-1)?.quality, 'frozen')
  })
})

describe('readings', () => {
  it('that stay away for days leave nothing to suspect', () => {
    const { judge, at, spaces } = mondayUntil(10)
    const back = at + 3 * DAY_MS
    every(feed(judge, counts(back, [spaces + 250, spaces + 250, spaces + 251])), 'good')
  })

  it('that are not later than the last change nothing', () => {
    const { judge, at, spaces } = mondayUntil(10)
    const before = judge.observe(reading(at + STEP_MS, spaces))
    assert.equal(judge.observe(reading(at + STEP_MS, 0)), before)
    assert.equal(judge.observe(reading(at - HOUR_MS, 0)), before)
  })

  it('of every minute do not make fifty minutes a freeze', () => {
    const { judge, at, spaces } = mondayUntil(10)
    const minutes = Array.from({ length: 50 }, (_, i) => reading(at + (i + 1) * 60_000, spaces))
    every(feed(judge, minutes), 'good')
  })
})
