import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  DAY_MS,
  HOUR_MS,
  MONDAY,
  reading,
  STEP_MS,
  UTC_CLOCK,
  workingCarPark,
} from '../../../test/support/made-up-counts.ts'
import { createDataQuality, type DataQualityOptions, type Listing } from './data-quality.ts'
import { explain } from './quality.ts'

type Counts = Record<string, number | { spaces: number; open: boolean }>

const listing = (at: number, counts: Counts): Listing => ({
  at,
  entries: Object.entries(counts).map(([code, count]) => {
    const { spaces, open } = typeof count === 'number' ? { spaces: count, open: true } : count
    return { ...reading(at, spaces), code, open }
  }),
})

const trusting = (options: Partial<DataQualityOptions> = {}) =>
  createDataQuality({ clock: UTC_CLOCK, records: () => undefined, ...options })

describe('the verdict on a car park', () => {
  it('tells when it was read and when it last moved', () => {
    const trust = trusting()
    trust.observe(listing(MONDAY, { PIERRD: 10 }))
    const [verdict] = trust.observe(listing(MONDAY + STEP_MS, { PIERRD: 10 }))
    const expected = {
      quality: 'good',
      reason: 'nothing-suspicious',
      observedAt: MONDAY + STEP_MS,
      changedAt: MONDAY,
      since: MONDAY,
    }
    assert.deepEqual(verdict, expected)
    assert.deepEqual(trust.assessment('PierRd', MONDAY + 2 * STEP_MS), expected)
  })

  it('is stale when its reading is older than 15 minutes', () => {
    const trust = trusting()
    trust.observe(listing(MONDAY, { PIERRD: 10 }))
    assert.equal(trust.assessment('PIERRD', MONDAY + 15 * 60_000).quality, 'good')
    const stale = trust.assessment('PIERRD', MONDAY + 15 * 60_000 + 1)
    assert.deepEqual([stale.quality, stale.reason, stale.since], ['stale', 'reading-too-old', MONDAY])
  })

  it('is closed as long as that is the last that the feed said', () => {
    const trust = trusting()
    trust.observe(listing(MONDAY, { PIERRD: { spaces: 10, open: false } }))
    assert.equal(trust.assessment('PIERRD', MONDAY + DAY_MS).quality, 'closed')
  })

  it('is missing since the first listing without it, with what was last read', () => {
    const trust = trusting()
    trust.observe(listing(MONDAY, { PIERRD: 10, SANDST: 20 }))
    trust.observe(listing(MONDAY + STEP_MS, { SANDST: 20 }))
    trust.observe(listing(MONDAY + 2 * STEP_MS, { SANDST: 20 }))
    assert.deepEqual(trust.assessment('PIERRD', MONDAY + 2 * STEP_MS), {
      quality: 'missing',
      reason: 'no-longer-listed',
      observedAt: MONDAY,
      changedAt: MONDAY,
      since: MONDAY + STEP_MS,
    })
  })

  it('is good again when it is back', () => {
    const trust = trusting()
    trust.observe(listing(MONDAY, { PIERRD: 10 }))
    trust.observe(listing(MONDAY + STEP_MS, {}))
    trust.observe(listing(MONDAY + 2 * STEP_MS, { PIERRD: 11 }))
    assert.equal(trust.assessment('PIERRD', MONDAY + 2 * STEP_MS).quality, 'good')
  })

  it('is missing where there is a record and never was a listing', () => {
    const trust = trusting({ records: () => new Map([['PIERRD', 500]]) })
    const { quality, reason, observedAt } = trust.assessment('PIERRD', MONDAY)
    assert.deepEqual([quality, reason, observedAt], ['missing', 'never-listed', null])
  })

  it('is implausible without a record, until there is one', () => {
    const records = new Map<string, number | null>([['PIERRD', 500]])
    const trust = trusting({ records: () => records })
    trust.observe(listing(MONDAY, { TEST: 100 }))
    const [ofItsCount] = trust.observe(listing(MONDAY + STEP_MS, { TEST: 100 }))
    assert.equal(ofItsCount?.quality, 'good')
    const { quality, reason, since } = trust.assessment('TEST', MONDAY + STEP_MS)
    assert.deepEqual([quality, reason, since], ['implausible', 'no-car-park-record', MONDAY])
    records.set('TEST', null)
    assert.equal(trust.assessment('TEST', MONDAY + STEP_MS).quality, 'good')
  })

  it('takes the number of spaces from the record as it is now', () => {
    const records = new Map<string, number | null>([['PIERRD', null]])
    const trust = trusting({ records: () => records })
    assert.equal(trust.observe(listing(MONDAY, { PIERRD: 300 }))[0]?.quality, 'good')
    records.set('PIERRD', 200)
    assert.equal(trust.observe(listing(MONDAY + STEP_MS, { PIERRD: 300 }))[0]?.reason, 'above-capacity')
  })

  it('has a sentence for people', () => {
    const trust = trusting()
    assert.match(explain(trust.assessment('PIERRD', MONDAY).reason), /^[A-Z].*\.$/)
  })
})

describe('the verdicts on all', () => {
  it('are on those with a record and those listed within a week', () => {
    const trust = trusting({ records: () => new Map([['SANDST', null]]) })
    trust.observe(listing(MONDAY, { Test: 1, GreenSt: 5 }))
    trust.observe(listing(MONDAY + DAY_MS, { GreenSt: 5 }))
    assert.deepEqual([...trust.codes()].sort(), ['GREENST', 'SANDST', 'TEST'])
    trust.observe(listing(MONDAY + 8 * DAY_MS, { GreenSt: 5 }))
    assert.deepEqual([...trust.codes()].sort(), ['GREENST', 'SANDST'])
  })

  it('remember how many ever new codes a feed lists no longer than they must', () => {
    const trust = trusting()
    for (let i = 0; i < 20; i++) {
      const codes = Array.from({ length: 400 }, (_, n) => [`CODE${i * 400 + n}`, n] as const)
      trust.observe(listing(MONDAY + i * STEP_MS, Object.fromEntries(codes)))
    }
    assert.ok(trust.codes().size <= 1400)
  })
})

describe('a listing', () => {
  it('that is not later than the last changes nothing', () => {
    const trust = trusting()
    trust.observe(listing(MONDAY, { PIERRD: 10 }))
    const before = trust.assessment('PIERRD', MONDAY)
    trust.observe(listing(MONDAY, { PIERRD: 400 }))
    assert.deepEqual(trust.assessment('PIERRD', MONDAY), before)
    trust.observe(listing(MONDAY - STEP_MS, {}))
    assert.deepEqual(trust.assessment('PIERRD', MONDAY), before)
  })
})

describe('car parks that stop together', () => {
  /** Two working car parks and one that is full and stays at 0, which is normal for it after five weeks. */
  function week(trust: ReturnType<typeof trusting>, until: number) {
    const full = { tendsTo: (_: number, hour: number) => (hour >= 7 && hour < 17 ? -40 : 300) }
    const from = MONDAY - 28 * DAY_MS
    const streams = [{ seed: 1 }, { seed: 2 }, { seed: 3, ...full }].map(habit =>
      workingCarPark(from, until, habit),
    )
    let last: Counts = {}
    for (let at = from; at < until; at += STEP_MS) {
      const [A, B, FULL] = streams.map(stream => stream.next().value?.spaces ?? Number.NaN)
      last = { A: A ?? Number.NaN, B: B ?? Number.NaN, FULL: FULL ?? Number.NaN }
      trust.observe(listing(at, last))
    }
    return { ...last, FULL: 0 }
  }

  it('are all frozen, the full one as well', () => {
    const trust = trusting()
    const noon = MONDAY + 12 * HOUR_MS
    const last = week(trust, noon)
    for (let at = noon; at < noon + 1.5 * HOUR_MS; at += STEP_MS) trust.observe(listing(at, last))
    const verdict = (code: string) => trust.assessment(code, noon + 1.5 * HOUR_MS)
    assert.equal(verdict('A').reason, 'standing-still')
    assert.equal(verdict('FULL').reason, 'standing-still-with-others')
  })

  it('leave the full one good where one other alone stops', () => {
    const trust = trusting()
    const noon = MONDAY + 12 * HOUR_MS
    const last = week(trust, noon)
    const others = workingCarPark(noon, noon + 2 * HOUR_MS, { seed: 7 })
    for (const { at, spaces } of others) trust.observe(listing(at, { ...last, B: spaces }))
    const verdict = (code: string) => trust.assessment(code, noon + 2 * HOUR_MS)
    assert.equal(verdict('A').quality, 'frozen')
    assert.equal(verdict('FULL').quality, 'good')
  })
})
