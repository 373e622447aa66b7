import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  counts,
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
  workingCarPark,
} from '../../../test/support/made-up-counts.ts'

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
    const fills = { tendsTo: (_: number, hour: number) => (hour >= 7 && hour < 15 ? -40 : 300) }
    const { judge } = experienced({}, fills)
    const noon = MONDAY + 12 * HOUR_MS
    feed(judge, workingCarPark(MONDAY, noon, { seed: 6, ...fills }))
    const verdicts = feed(judge, counts(noon, [0, 380, 0]))
    assert.deepEqual(qualities(verdicts), ['good', 'implausible', 'good'])
  })

  it('every other time does not hide that the count stands still', () => {
    const { judge, at, spaces } = mondayUntil(10)
    const alternating = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 0 : spaces))
    const verdicts = feed(judge, counts(at + STEP_MS, alternating))
    assert.equal(verdicts.at(-1)?.quality, 'frozen')
  })

  it('every other time leaves the others good while they move', () => {
    const { judge, at, spaces } = mondayUntil(10)
    const alternating = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 0 : spaces + i))
    const verdicts = qualities(feed(judge, counts(at + STEP_MS, alternating)))
    assert.deepEqual(
      verdicts,
      alternating.map(count => (count === 0 ? 'implausible' : 'good')),
    )
  })
})

describe('a jump that the car park never makes', () => {
  it('is believed at the third reading near it', () => {
    const { judge, at, spaces } = mondayUntil(6)
    const verdicts = feed(
      judge,
      counts(
        at + STEP_MS,
        [-200, -201, -199, -198].map(by => spaces + by),
      ),
    )
    assert.deepEqual(qualities(verdicts), ['implausible', 'implausible', 'good', 'good'])
  })

  it('is not believed for readings that are far from each other', () => {
    const { judge, at, spaces } = mondayUntil(6)
    const verdicts = feed(
      judge,
      counts(
        at + STEP_MS,
        [-150, -250, -170].map(by => spaces + by),
      ),
    )
    every(verdicts, 'implausible')
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
    const fills = { tendsTo: (_: number, hour: number) => (hour >= 7 && hour < 15 ? -40 : 300) }
    const { judge } = experienced({}, fills)
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
