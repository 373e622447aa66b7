import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryStore } from '../../src/../test/support/service.ts'
import { feedTime, simulatedCounts } from './feed-payload.ts'
import { fillPast } from './past.ts'

const counts = (at: string) => new Map(simulatedCounts(new Date(at)).map(count => [count.code, count.spaces]))
const codes = (at: string) => [...counts(at).keys()]

test('one counter stands still from Monday 09:00 to Sunday 15:00, another one the next week', () => {
  const standing = (week: string) => {
    const [monday, friday, sunday, after] = [0, 4, 6, 7].map(days => {
      const date = new Date(Date.parse(week) + days * 86_400_000).toISOString().slice(0, 10)
      return counts(`${date}T${days === 6 ? '14:59' : days === 7 ? '00:01' : '13:00'}:00Z`)
    })
    return [...(monday?.keys() ?? [])].filter(
      code =>
        monday?.get(code) === friday?.get(code) &&
        monday?.get(code) === sunday?.get(code) &&
        monday?.get(code) !== after?.get(code),
    )
  }
  const weeks = ['2026-01-12', '2026-01-19', '2026-01-26', '2026-02-02', '2026-02-09'].map(standing)
  for (const week of weeks) assert.equal(week.length, 1, JSON.stringify(weeks))
  assert.equal(new Set(weeks.flat()).size, 4)
  assert.deepEqual(weeks[0], weeks[4])
})

test('one car park counts 0 now and then, one is left out now and then, and TEST is always there', () => {
  assert.equal(counts('2026-01-14T06:15:00Z').get('PHOENIXSQ'), 0)
  assert.notEqual(counts('2026-01-14T06:21:00Z').get('PHOENIXSQ'), 0)
  assert.notEqual(counts('2026-01-14T07:15:00Z').get('PHOENIXSQ'), 0)
  assert.ok(!codes('2026-07-14T09:40:00Z').includes('UNICORNPL'), 'by the clocks of summer')
  assert.ok(codes('2026-07-14T10:40:00Z').includes('UNICORNPL'))
  assert.equal(counts('2026-07-14T10:40:00Z').get('TEST'), 100)
})

test('the past is filled once, goes on where it ended, and has the gaps of the feed', async t => {
  const store = await temporaryStore(t)
  const first = new Date('2026-01-14T09:00:10Z')
  const added = await fillPast(store, first)
  assert.ok(added > 80_000, `${added}`)
  assert.equal(await fillPast(store, first), 0)
  assert.equal((await store.readings.latestObservation())?.timestamp, feedTime(first).toISOString())
  const later = new Date('2026-01-14T09:30:10Z')
  assert.equal(await fillPast(store, later), 6 * 9)
  const kept = (await store.readings.keptHistory()).find(({ code }) => code === 'CHIMERAST')
  assert.ok(kept && kept.first <= first.getTime() - 83 * 86_400_000)
  const night = { from: Date.parse('2026-01-14T03:01:00Z'), to: Date.parse('2026-01-14T03:50:00Z') }
  assert.deepEqual(await store.readings.readings(night), [])
  const hour = { from: night.from - 3_600_000, to: night.from, code: 'CHIMERAST' }
  assert.equal((await store.readings.readings(hour)).length, 12)
})
