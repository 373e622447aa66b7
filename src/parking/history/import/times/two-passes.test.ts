import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { deviation, type Moment, rhythmOf } from './moments.ts'
import { type MixedHour, splitPasses } from './two-passes.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NIGHT = Date.parse('2024-10-27T00:00:00Z')

const moment = (time: number, ...spaces: number[]): Moment => ({ time, spaces: Float64Array.from(spaces) })

/** The total deviation of the whole row for a split of the hour. */
function costOf({ moments, before, after, shift, rhythm }: MixedHour, second: readonly boolean[]): number {
  const row = [
    before,
    ...moments.filter((_, at) => !second[at]),
    ...moments.filter((_, at) => second[at]).map(each => ({ ...each, time: each.time + shift })),
    after,
  ].filter(each => each !== undefined)
  return row.slice(1).reduce((sum, each, at) => sum + deviation(row[at] as Moment, each, rhythm), 0)
}

/** Two hours of readings in the order of time, split where the clock is put back, and merged by local time. */
function mixed(row: readonly Moment[]): { hour: MixedHour; truth: boolean[] } {
  const within = row.filter(({ time }) => time >= NIGHT && time < NIGHT + 2 * HOUR)
  const shown = within
    .map(({ time, spaces }) => {
      const isSecond = time >= NIGHT + HOUR
      return { moment: { time: isSecond ? time - HOUR : time, spaces }, isSecond }
    })
    .sort((a, b) => a.moment.time - b.moment.time)
  const before = row.filter(({ time }) => time < NIGHT)
  const after = row.filter(({ time }) => time >= NIGHT + 2 * HOUR)
  return {
    hour: {
      moments: shown.map(each => each.moment),
      before: before.at(-1),
      after: after[0],
      shift: HOUR,
      rhythm: rhythmOf([before, after], row[0]?.spaces.length ?? 0),
    },
    truth: shown.map(each => each.isSecond),
  }
}

/** Readings from two hours before the repeated hour until two hours after it. */
function rowOf(step: number, jitter: readonly number[], countsAt: (index: number) => number[]): Moment[] {
  const length = Math.floor((6 * HOUR) / step)
  return Array.from({ length }, (_, index) =>
    moment(
      NIGHT - 2 * HOUR + 1000 + index * step + (jitter[index % jitter.length] ?? 0) * 1000,
      ...countsAt(index),
    ),
  )
}

const jitters = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 10, maxLength: 90 })

test('two passes are separated by changing counts', () => {
  fc.assert(
    fc.property(
      jitters,
      fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 })), {
        minLength: 100,
        maxLength: 100,
      }),
      (jitter, moves) => {
        // Two car parks fill, one empties: an hour later each is a dozen spaces or so further.
        let [one, two, three] = [300, 400, 100]
        const row = rowOf(5 * MINUTE, jitter, index => {
          const [down, up] = moves[index] ?? [0, 0]
          one -= down + 1
          two -= up + 1
          three += down + 1
          return [one, two, three]
        })
        const { hour, truth } = mixed(row)
        assert.deepEqual(splitPasses(hour), truth)
      },
    ),
  )
})

test('no separation of an hour is more probable than the chosen one', () => {
  const moments = fc
    .uniqueArray(fc.record({ at: fc.integer({ min: 0, max: 59 }), one: fc.nat(9), two: fc.nat(9) }), {
      maxLength: 9,
      selector: ({ at }) => at,
    })
    .map(all =>
      all.sort((a, b) => a.at - b.at).map(({ at, one, two }) => moment(NIGHT + at * MINUTE, one, two)),
    )
  const neighbour = (time: number) =>
    fc.option(
      fc.nat(9).map(spaces => moment(time, spaces, 9 - spaces)),
      { nil: undefined },
    )
  fc.assert(
    fc.property(
      moments,
      neighbour(NIGHT - 3 * MINUTE),
      neighbour(NIGHT + 2 * HOUR + MINUTE),
      fc.integer({ min: 1, max: 20 }),
      (moments, before, after, step) => {
        const rhythm = { step: step * MINUTE, stepDeviation: MINUTE, moves: Float64Array.of(1, 2) }
        const hour: MixedHour = { moments, before, after, shift: HOUR, rhythm }
        const taken = costOf(hour, splitPasses(hour))
        for (let bits = 0; bits < 1 << moments.length; bits++) {
          const other = costOf(
            hour,
            moments.map((_, at) => ((bits >> at) & 1) === 1),
          )
          assert.ok(taken <= other + 1e-9, `${taken} > ${other}`)
        }
      },
    ),
  )
})

test('readings that are missing in one pass do not mislead', () => {
  const row = rowOf(5 * MINUTE, [0, 3, -4, 7], index => [100 + index, 400 - index]).filter(
    (_, at) => at % 7 !== 3,
  )
  const { hour, truth } = mixed(row)
  assert.deepEqual(splitPasses(hour), truth)
})
