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
import { createQualityCheck } from './quality-check.ts'

const FULL_BY_DAY = { tendsTo: (_: number, hour: number) => (hour >= 7 && hour < 15 ? -40 : 300) }

const stillOnSundays = (weekday: number, hour: number) =>
  weekday === 0 ? 0.02 : hour < 7 || hour >= 21 ? 0.1 : 0.85

/** Readings after a count of `spaces` at `at`, given by their differences from that count. */
const changes = (at: number, spaces: number, differences: readonly number[]) =>
  counts(
    at + STEP_MS,
    differences.map(by => spaces + by),
  )

const novice = () => createQualityCheck(UTC_CLOCK)

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
    const { judge, past } = experienced({}, { moves: stillOnSundays })
    const sundays = past.filter(({ observedAt }) => new Date(observedAt ?? 0).getUTCDay() === 0)
    every(sundays.slice(-288), 'good')
    const last = past.at(-1)?.observedAt ?? Number.NaN
    const sunday = MONDAY + 6 * DAY_MS
    feed(judge, workingCarPark(last + STEP_MS, sunday, { seed: 3, moves: stillOnSundays }))
    every(feed(judge, standing(sunday + HOUR_MS, sunday + DAY_MS, 300)).slice(12), 'good')
  })

  it('on a bank holiday is judged as on a Sunday', () => {
    const onMonday = (isBankHoliday: (day: number) => boolean) => {
      const { judge, last } = experienced(
        { clock: { ...UTC_CLOCK, isBankHoliday } },
        { moves: stillOnSundays },
      )
      return qualities(feed(judge, standing(MONDAY, MONDAY + 20 * HOUR_MS, last)))
    }
    assert.ok(onMonday(() => false).includes('frozen'))
    assert.ok(!onMonday(day => day === MONDAY / DAY_MS).includes('frozen'))
  })

  it('is no fault at 0 where the car park is full every morning', () => {
    const { judge, past } = experienced({}, FULL_BY_DAY)
    const lastWeek = past.slice(-2016)
    assert.deepEqual([...new Set(qualities(lastWeek))], ['good'])
    const tuesday = MONDAY + DAY_MS
    feed(judge, workingCarPark(MONDAY, tuesday + 11 * HOUR_MS, { seed: 4, ...FULL_BY_DAY }))
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
    const rare = Array.from({ length: 72 }, (_, i) => Math.floor(i / 12))
    every(feed(judge, changes(at, spaces, rare)).slice(48), 'frozen')
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
    const verdicts = feed(judge, changes(at, spaces, [1, 4, 2, 6]))
    assert.deepEqual(qualities(verdicts), ['frozen', 'frozen', 'frozen', 'good'])
    assert.equal(verdicts.at(-1)?.since, at + 4 * STEP_MS)
    every(feed(judge, standing(at + 5 * STEP_MS, at + HOUR_MS, spaces + 6)), 'good')
  })

  it('is good again only when readings come back elsewhere after a gap', () => {
    const { judge, at, spaces } = frozen()
    assert.equal(judge.observe(reading(at + 5 * HOUR_MS, spaces)).quality, 'frozen')
    assert.equal(judge.observe(reading(at + 10 * HOUR_MS, spaces + 40)).quality, 'good')
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

describe('a wild value', () => {
  it('is implausible, alone, and no change of the count', () => {
    const { judge, at, spaces } = mondayUntil(6)
    const before = judge.observe(reading(at + STEP_MS, spaces))
    const [wild, after] = feed(judge, counts(at + 2 * STEP_MS, [0, spaces]))
    assert.deepEqual([wild?.quality, wild?.reason], ['implausible', 'impossible-jump'])
    assert.equal(wild?.changedAt, at + 2 * STEP_MS)
    assert.equal(after?.quality, 'good')
    assert.equal(after?.changedAt, before.changedAt)
  })

  it('of a full count between zeros is implausible, and the zeros are good', () => {
    const { judge } = experienced({}, FULL_BY_DAY)
    const noon = MONDAY + 12 * HOUR_MS
    feed(judge, workingCarPark(MONDAY, noon, { seed: 6, ...FULL_BY_DAY }))
    const verdicts = feed(judge, counts(noon, [0, 380, 0]))
    assert.deepEqual(qualities(verdicts), ['good', 'implausible', 'good'])
  })

  it('every other time leaves the others good while they move, and does not hide that they stand still', () => {
    const alternating = (change: number) => {
      const { judge, at, spaces } = mondayUntil(10)
      const readings = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 0 : spaces + change * i))
      return qualities(feed(judge, counts(at + STEP_MS, readings)))
    }
    assert.deepEqual(alternating(1), Array(20).fill(['implausible', 'good']).flat())
    assert.equal(alternating(0).at(-1), 'frozen')
  })
})

describe('a jump that the car park never makes', () => {
  it('is believed at the third reading near it, but not for readings that are far from each other', () => {
    const jumps = (differences: readonly number[]) => {
      const { judge, at, spaces } = mondayUntil(6)
      return qualities(feed(judge, changes(at, spaces, differences)))
    }
    assert.deepEqual(jumps([-200, -201, -199, -198]), ['implausible', 'implausible', 'good', 'good'])
    assert.deepEqual(jumps([-150, -250, -170]), ['implausible', 'implausible', 'implausible'])
  })

  it('to 0 is not believed for standing there, and by day becomes frozen', () => {
    const { judge, at } = mondayUntil(6)
    const verdicts = feed(judge, standing(at + STEP_MS, at + 5 * HOUR_MS, 0))
    assert.deepEqual([...new Set(qualities(verdicts))], ['implausible', 'frozen'])
    const found = verdicts.find(({ quality }) => quality === 'frozen')
    assert.ok((found?.observedAt ?? Number.NaN) <= MONDAY + 8.5 * HOUR_MS)
    assert.equal(found?.since, at + STEP_MS)
  })

  it('to 0 is believed once the count moves near it', () => {
    const { judge, at } = mondayUntil(6)
    const verdicts = feed(judge, counts(at + STEP_MS, [0, 0, 3, 0, 5, 2, 4, 1]))
    assert.deepEqual(qualities(verdicts).slice(-2), ['good', 'good'])
    assert.equal(verdicts[4]?.quality, 'implausible')
  })

  it('to 0 at an hour at which the car park is often full is believed after half an hour', () => {
    const { judge } = experienced({}, FULL_BY_DAY)
    const noon = MONDAY + 12 * HOUR_MS
    feed(judge, counts(MONDAY + 11.5 * HOUR_MS, [60, 61, 62, 61, 60, 60]))
    const verdicts = qualities(feed(judge, counts(noon, Array(9).fill(0))))
    assert.deepEqual(verdicts.slice(0, 5), Array(5).fill('implausible'))
    assert.deepEqual(verdicts.slice(6), ['good', 'good', 'good'])
  })

  it('is possible again after a closure', () => {
    const { judge, at } = mondayUntil(6)
    const shut = judge.observe({ at: at + STEP_MS, spaces: 0, open: false, status: 'Closed' })
    assert.deepEqual([shut.quality, shut.reason], ['closed', 'feed-says-closed'])
    assert.equal(judge.observe(reading(at + 2 * STEP_MS, 12)).quality, 'good')
  })
})

describe('a count', () => {
  it('of anything but whole spaces is impossible', () => {
    const { judge, at } = mondayUntil(10)
    for (const [i, spaces] of [-1, 2.5, Number.NaN, Number.POSITIVE_INFINITY].entries())
      assert.equal(judge.observe(reading(at + (i + 1) * STEP_MS, spaces)).reason, 'impossible-count')
  })

  it('above the number of spaces is implausible, a little drift excepted, whenever that is known', () => {
    let capacity: number | null = null
    const { judge, last } = experienced({ capacity: () => capacity })
    const verdicts = [last, last, last].map((spaces, i) => {
      capacity = [null, spaces - 10, spaces - 60][i] ?? null
      return judge.observe(reading(MONDAY + i * STEP_MS, spaces))
    })
    assert.deepEqual(
      verdicts.map(({ reason }) => reason),
      ['nothing-suspicious', 'nothing-suspicious', 'above-capacity'],
    )
  })
})

describe('a judge that knows nothing', () => {
  it('holds the first reading good, whatever it is', () => {
    const verdict = novice().observe(reading(MONDAY, 0))
    assert.deepEqual(verdict, {
      quality: 'good',
      reason: 'nothing-suspicious',
      observedAt: MONDAY,
      changedAt: MONDAY,
      since: MONDAY,
    })
  })

  it('holds a working car park good from the first day', () => {
    every(feed(novice(), workingCarPark(MONDAY, MONDAY + 7 * DAY_MS)), 'good')
  })

  it('finds a counter that never moves on a working day, within 90 minutes', () => {
    const morning = MONDAY + 9 * HOUR_MS
    const verdicts = feed(novice(), standing(morning, morning + 4 * HOUR_MS, 137))
    const found = verdicts.find(({ quality }) => quality === 'frozen')?.observedAt ?? Number.NaN
    assert.ok(found - morning > HOUR_MS && found - morning <= 90 * 60_000)
  })

  it('says nothing of a night', () => {
    const evening = MONDAY + 21 * HOUR_MS
    every(feed(novice(), standing(evening, evening + 10 * HOUR_MS, 137)), 'good')
  })

  it('says nothing of a car park that is full from the first reading on', () => {
    const morning = MONDAY + 8 * HOUR_MS
    every(feed(novice(), standing(morning, morning + 6 * HOUR_MS, 0)), 'good')
  })

  it('learns within a week that a car park has few cars an hour', () => {
    const moves = (_: number, hour: number) => (hour >= 7 && hour < 19 ? 0.2 : 0.02)
    const verdicts = feed(novice(), workingCarPark(MONDAY, MONDAY + 28 * DAY_MS, { moves }))
    every(verdicts.slice(-14 * 288), 'good')
  })

  it('believes a jump at its third reading', () => {
    const verdicts = feed(novice(), counts(MONDAY, [400, 100, 101, 102]))
    assert.deepEqual(qualities(verdicts), ['good', 'implausible', 'implausible', 'good'])
    assert.equal(verdicts.at(-1)?.observedAt, MONDAY + 3 * STEP_MS)
  })
})
