import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { HistoryOptions } from '../../src/parking/history/import/history-file.ts'
import { openBytes } from '../../src/sources/bytes.ts'
import type { HistoricReading } from '../../src/store/store.ts'
import { type ReadHistory, readBytes } from '../support/history-text.ts'
import { realDataMissing, realPath } from '../support/real-data.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const read = async (file: string, options: Partial<HistoryOptions> = {}) =>
  readBytes((await openBytes(realPath(`parking-history/${file}`))).chunks, options)

/** The times with readings, from one time until before another. */
const timesOf = (readings: readonly HistoricReading[], from: number, to: number) => [
  ...new Set(readings.map(({ at }) => at).filter(at => at >= from && at < to)),
]

describe('the history of 14 months', { skip: realDataMissing }, () => {
  let history: ReadHistory
  let readings: HistoricReading[]
  before(async () => {
    history = await read('parking-spaces-2024-09_2025-10.csv')
    readings = [...history.readings]
  })

  test('every reading is accepted but those of the two hours that the clocks show twice', () => {
    const { read, accepted, rejected, skipped, repeatedHour, skippedHour } = history.statistics
    assert.deepEqual([read, accepted, rejected, skipped], [413_378, 413_056, 0, 322])
    assert.deepEqual([repeatedHour, skippedHour], [322, 0])
    assert.equal(history.first, '2024-09-03T07:49:57.000Z')
    assert.equal(history.last, '2025-10-31T23:59:58.000Z')
    assert.equal(history.carParks.length, 7)
    assert.equal(readings.length, 413_056)
    assert.ok(readings.every(({ at }, index) => at >= (readings[index - 1]?.at ?? 0)))
  })

  test('the skipped hour in spring does not occur in the sequence of readings', () => {
    const times = timesOf(readings, Date.parse('2025-03-30T00:00Z'), Date.parse('2025-03-30T02:00Z'))
    assert.equal(times.length, 24)
    const steps = times.slice(1).map((at, index) => at - (times[index] ?? at))
    assert.ok(steps.every(step => Math.abs(step - 5 * MINUTE) < MINUTE))
  })

  for (const day of ['2024-10-27', '2025-10-26'])
    test(`on ${day} the two hours of the same local times are empty`, () => {
      const hours = [-1, 0, 1, 2].map(hour => Date.parse(`${day}T00:00Z`) + hour * HOUR)
      const found = hours.map(from => timesOf(readings, from, from + HOUR).length)
      assert.deepEqual(found, [12, 0, 0, 12])
    })
})

test('the scrape of February 2024, whose times have no year', { skip: realDataMissing }, async () => {
  await assert.rejects(read('scrape-2024-02.csv'), /have no year/)
  const history = await read('scrape-2024-02.csv', { year: 2024 })
  const { accepted, rejected, skipped } = history.statistics
  assert.deepEqual([accepted, rejected, skipped], [45_026, 0, 0])
  assert.equal(history.first, '2024-02-04T23:36:16.000Z')
  assert.equal(history.last, '2024-02-26T00:45:33.000Z')
  const counts = new Map(history.carParks.map(({ code, readings }) => [code, readings]))
  assert.deepEqual([counts.size, counts.get('TEST'), counts.get('CHARLESSTREET')], [8, 6045, 2711])
})
