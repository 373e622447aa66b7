import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  type History,
  type HistoryOptions,
  readHistory,
} from '../../src/parking/history/import/history-file.ts'
import { type Moment, rhythmOf } from '../../src/parking/history/import/times/moments.ts'
import { splitPasses } from '../../src/parking/history/import/times/two-passes.ts'
import { openBytes } from '../../src/sources/bytes.ts'
import type { HistoricReading } from '../../src/store/store.ts'
import { realDataMissing, realPath } from '../support/real-data.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const read = async (file: string, options: Partial<HistoryOptions> = {}) =>
  readHistory((await openBytes(realPath(`parking-history/${file}`))).chunks, {
    timeZone: 'Europe/Jersey',
    ...options,
  })

const time = (at: number | null) => new Date(at ?? Number.NaN).toISOString()

/** The counts of all car parks by time, from one time until before another. */
function rows(readings: readonly HistoricReading[], from: string, to: string): Map<number, number[]> {
  const found = new Map<number, number[]>()
  for (const { at, spaces } of readings) {
    if (at < Date.parse(from) || at >= Date.parse(to)) continue
    const row = found.get(at)
    if (row === undefined) found.set(at, [spaces])
    else row.push(spaces)
  }
  return found
}

const steps = (times: readonly number[]) => times.slice(1).map((at, index) => at - (times[index] ?? at))

/** By how many spaces all counts together move from one row to the next, on average. */
function movement(found: ReadonlyMap<number, readonly number[]>): number {
  const all = [...found.values()]
  const moves = all
    .slice(1)
    .map((row, index) =>
      row.reduce((sum, spaces, place) => sum + Math.abs(spaces - (all[index]?.[place] ?? spaces)), 0),
    )
  return moves.reduce((sum, move) => sum + move, 0) / moves.length
}

describe('the history of 14 months', { skip: realDataMissing }, () => {
  let history: History
  let readings: HistoricReading[]
  before(async () => {
    history = await read('parking-spaces-2024-09_2025-10.csv')
    readings = [...history.readings]
  })

  test('every reading is accepted, from the first to the last', () => {
    const { read, accepted, rejected, skipped } = history.statistics
    assert.deepEqual([read, accepted, rejected, skipped], [413_378, 413_378, 0, 0])
    assert.equal(time(history.first), '2024-09-03T07:49:57.000Z')
    assert.equal(time(history.last), '2025-10-31T23:59:58.000Z')
    assert.equal(history.carParks.length, 7)
    assert.equal(readings.length, 413_378)
    assert.ok(readings.every(({ at }, index) => at >= (readings[index - 1]?.at ?? 0)))
  })

  test('the skipped hour in spring does not occur in the sequence of readings', () => {
    const times = [...rows(readings, '2025-03-30T00:00Z', '2025-03-30T02:00Z').keys()]
    assert.equal(times.length, 24)
    assert.ok(steps(times).every(step => Math.abs(step - 5 * MINUTE) < MINUTE))
  })

  for (const { day, missing, usual } of [
    { day: '2024-10-27', missing: 1, usual: 6 },
    { day: '2025-10-26', missing: 1, usual: 2 },
  ])
    test(`the night of ${day} is one sequence of readings again`, () => {
      const from = `${day}T00:00:00Z`
      const middle = `${day}T01:00:00Z`
      const night = rows(readings, from, `${day}T02:00:00Z`)
      const passes = [rows(readings, from, middle).size, rows(readings, middle, `${day}T02:00:00Z`).size]
      assert.deepEqual(passes, [11, 12])
      const odd = steps([...night.keys()]).filter(step => Math.abs(step - 5 * MINUTE) > MINUTE)
      assert.equal(odd.length, missing)
      assert.ok(
        odd.every(step => Math.abs(step - 10 * MINUTE) < MINUTE),
        `${odd}`,
      )
      assert.ok(movement(night) < usual, `${movement(night)}`)
      const hour = history.repeatedHours.find(each => each.from.startsWith(day))
      assert.deepEqual([hour?.first, hour?.second, hour?.by], [77, 84, 'counts'])
    })
})

/** Readings of one time as one moment. */
function momentsOf(readings: readonly HistoricReading[]): Moment[] {
  const codes = [...new Set(readings.map(({ code }) => code))]
  const found = new Map<number, Moment>()
  for (const { at, code, spaces } of readings) {
    const moment = found.get(at) ?? { time: at, spaces: new Float64Array(codes.length).fill(Number.NaN) }
    moment.spaces[codes.indexOf(code)] = spaces
    found.set(at, moment)
  }
  return [...found.values()]
}

/** Puts the second hour of a night on the first, as clocks do that are put back, and counts what is parted rightly. */
function partedRightly(night: readonly Moment[], from: number): { right: number; of: number } {
  const before = night.filter(({ time }) => time < from)
  const after = night.filter(({ time }) => time >= from + 2 * HOUR)
  const shown = night
    .filter(({ time }) => time >= from && time < from + 2 * HOUR)
    .map(moment => {
      const isSecond = moment.time >= from + HOUR
      return { isSecond, time: moment.time - (isSecond ? HOUR : 0), spaces: moment.spaces }
    })
    .sort((a, b) => a.time - b.time)
  const parted = splitPasses({
    moments: shown,
    before: before.at(-1),
    after: after[0],
    shift: HOUR,
    rhythm: rhythmOf([before, after], night[0]?.spaces.length ?? 0),
  })
  return { right: shown.filter(({ isSecond }, place) => isSecond === parted[place]).length, of: shown.length }
}

test('two hours of every night, interleaved, are separated again', {
  skip: realDataMissing,
}, async () => {
  const moments = momentsOf([...(await read('parking-spaces-2024-09_2025-10.csv')).readings])
  let [right, of, whole, nights] = [0, 0, 0, 0]
  for (let from = Date.parse('2024-09-04'); from < Date.parse('2025-10-31'); from += DAY) {
    const night = moments.filter(({ time }) => time >= from - 3 * HOUR && time < from + 5 * HOUR)
    const parted = partedRightly(night, from)
    if (parted.of < 20) continue
    right += parted.right
    of += parted.of
    whole += Number(parted.right === parted.of)
    nights++
  }
  assert.ok(nights > 190, `${nights} nights`)
  assert.ok(right / of > 0.985, `${right} of ${of} readings`)
  assert.ok(whole / nights > 0.93, `${whole} of ${nights} nights`)
})

test('the scrape of February 2024, whose times have no year', { skip: realDataMissing }, async () => {
  await assert.rejects(read('scrape-2024-02.csv'), /have no year/)
  const history = await read('scrape-2024-02.csv', { year: 2024 })
  const { accepted, rejected, skipped } = history.statistics
  assert.deepEqual([accepted, rejected, skipped], [45_026, 0, 0])
  assert.equal(time(history.first), '2024-02-04T23:36:16.000Z')
  assert.equal(time(history.last), '2024-02-26T00:45:33.000Z')
  const counts = new Map(history.carParks.map(({ code, readings }) => [code, readings]))
  assert.deepEqual([counts.size, counts.get('TEST'), counts.get('CHARLESSTREET')], [8, 6045, 2711])
})
