import assert from 'node:assert/strict'
import type { ReleaseChecks } from '../scale/answers.ts'

const DAY_MS = 86_400_000
const QUARTER_MS = 900_000
const CODE = 'HARBST'
/** Known from one older reading alone: what a flood asks for. */
const ELSEWHERE = 'CHIMERAST'
const FIRST_SPACES = 100

const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS - 10 * DAY_MS
const instant = (time: number) => new Date(time).toISOString()

/** A day of one car park, a reading each quarter of an hour, each with one space more than the one before. */
const READINGS = Array.from({ length: DAY_MS / QUARTER_MS }, (_, index) => ({
  at: instant(midnight + index * QUARTER_MS),
  spaces: FIRST_SPACES + index,
}))

/** The day as `pds import live-spaces` reads it. */
export const PAST_CSV = `Timestamp,Carpark Code,Available Spaces\n${READINGS.map(
  ({ at, spaces }) => `${at},${CODE},${spaces}\n`,
).join('')}${instant(midnight - DAY_MS)},${ELSEWHERE},1\n`

const day = `from=${instant(midnight)}&to=${instant(midnight + DAY_MS)}`
const parts = (answer: { text: string }) => JSON.parse(answer.text).results

/** What is asked of that day, and that the answers are right. */
export const PAST: ReleaseChecks = {
  [`/v1/carparks/${CODE}/history?interval=raw&${day}`](answer) {
    const readings = parts(answer).map(({ at, spaces }: { at: string; spaces: number }) => ({ at, spaces }))
    assert.deepEqual(readings, READINGS)
    return 0
  },
  [`/v1/carparks/${CODE}/history?interval=1h&${day}`](answer) {
    const hours = parts(answer).map(({ from, min, max, mean, last, count }: Record<string, unknown>) => {
      return [from, min, max, mean, last, count]
    })
    const expected = Array.from({ length: 24 }, (_, hour) => {
      const least = FIRST_SPACES + 4 * hour
      return [instant(midnight + hour * 4 * QUARTER_MS), least, least + 3, least + 1.5, least + 3, 4]
    })
    assert.deepEqual(hours, expected)
    return 0
  },
  [`/v1/carparks/live-spaces/history.csv?interval=raw&${day}`]({ text }) {
    const [, ...lines] = text.trimEnd().split(/\r?\n/)
    const expected = READINGS.map(({ at, spaces }) => [CODE, at, spaces])
    for (const [index, row] of expected.entries())
      for (const value of row) assert.ok(lines[index]?.split(',').includes(String(value)), lines[index])
    assert.equal(lines.length, expected.length)
    return 0
  },
}
