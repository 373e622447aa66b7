import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { temporaryStore } from '../../test/support/service.ts'
import { ENGINES, type TestedEngine } from '../../test/support/store-engines.ts'
import { openStore } from './open-store.ts'
import type { HistoricReading, ReadingSummary } from './store.ts'

const HOUR = 3_600_000
const at = (time: string) => Date.parse(`2025-03-30T${time}Z`)
const reading = (time: string, code: string, spaces: number, more = {}): HistoricReading => ({
  at: at(time),
  code,
  name: `Car park ${code}`,
  spaces,
  open: null,
  status: null,
  ...more,
})
const DAY = { from: at('00:00'), to: at('00:00') + 24 * HOUR }

const emptyStore = async (t: TestContext, engine: TestedEngine) =>
  temporaryStore(t, await engine.emptyStore(t))

/** The expected summaries, computed from the readings themselves. */
function summed(readings: readonly HistoricReading[], width: number): ReadingSummary[] {
  const groups = new Map<string, HistoricReading[]>()
  for (const one of readings) {
    const key = `${String(Math.floor(one.at / width)).padStart(12)} ${one.code}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups].sort().map(([, group]) => {
    const counts = group.sort((a, b) => a.at - b.at).map(({ spaces }) => spaces)
    return {
      code: group[0]?.code ?? '',
      from: Math.floor((group[0]?.at ?? 0) / width) * width,
      min: Math.min(...counts),
      max: Math.max(...counts),
      sum: counts.reduce((sum, count) => sum + count, 0),
      count: counts.length,
      last: counts.at(-1) ?? Number.NaN,
    }
  })
}
const bySummary = (a: ReadingSummary, b: ReadingSummary) => a.from - b.from || (a.code < b.code ? -1 : 1)

for (const engine of ENGINES) {
  test(`${engine.name}: history gives readings back in the order of time and of the feed, by code and range`, async t => {
    const store = await emptyStore(t, engine)
    const told = { open: false, status: 'Full "é\0"' }
    const readings = [
      reading('10:00', 'SAND', 7),
      reading('10:00', 'GREEN', 100_000, told),
      reading('10:05:01.250', 'SAND', 0),
    ]
    assert.deepEqual(await store.readings.saveHistory(readings), { added: 3, batch: 1 })
    assert.deepEqual(await store.readings.readings(DAY), readings)
    assert.deepEqual(await store.readings.readings({ ...DAY, code: 'sAnD' }), [readings[0], readings[2]])
    assert.deepEqual(
      await store.readings.readings({ from: at('10:00'), to: at('10:05:01.250') }),
      readings.slice(0, 2),
    )
    assert.deepEqual(await store.readings.readings({ ...DAY, code: 'nobody' }), [])
    assert.deepEqual(await store.readings.summaries({ ...DAY, code: 'nobody' }, 'hour'), [])
    assert.equal(await store.readings.latestObservation(), undefined, 'a file is not the feed')
  })

  test(`${engine.name}: stored readings are neither replaced nor counted; new readings change the revision`, async t => {
    const store = await emptyStore(t, engine)
    const revisions = [await store.readings.historyRevision()]
    for (const [readings, added] of [
      [[reading('10:00', 'SAND', 7)], 1],
      [[reading('10:00', 'SAND', 9)], 0],
      [[reading('10:00', 'SAND', 9), reading('10:00', 'GREEN', 1), reading('10:00', 'GREEN', 2)], 1],
      [[], 0],
    ] as const) {
      assert.equal((await store.readings.saveHistory(readings)).added, added)
      revisions.push(await store.readings.historyRevision())
    }
    const [empty = 0, first = 0, , third = 0] = revisions
    assert.ok(empty < first && first < third, revisions.join(' '))
    assert.deepEqual(revisions, [empty, first, first, third, third])
    assert.deepEqual(
      (await store.readings.readings(DAY)).map(({ code, spaces }) => [code, spaces]),
      [
        ['SAND', 7],
        ['GREEN', 1],
      ],
    )
  })

  test(`${engine.name}: the feed's readings take the place of a file's of the same time, and are its own`, async t => {
    const store = await emptyStore(t, engine)
    await store.readings.saveHistory([reading('10:00', 'SAND', 9)])
    const entry = { name: 'Car park SAND', code: 'SAND', spaces: 7, status: 'good', open: true }
    const observation = { timestamp: '2025-03-30T10:00:00.000Z', entries: [entry, { ...entry, code: 'X' }] }
    await store.readings.saveObservation(observation)
    assert.deepEqual(await store.readings.latestObservation(), observation)
    assert.deepEqual(await store.readings.saveHistory([reading('10:00', 'SAND', 8)]), {
      added: 0,
      batch: null,
    })
    const kept = await store.readings.readings({ ...DAY, code: 'SAND' })
    assert.deepEqual(kept, [reading('10:00', 'SAND', 7, { open: true, status: 'good' })])
    assert.equal((await store.readings.summaries({ ...DAY, code: 'SAND' }, 'hour'))[0]?.sum, 7)
    assert.equal(await store.readings.removeBatch(1), undefined)
  })

  test(`${engine.name}: all or nothing: readings that fail midway leave nothing`, async t => {
    const store = await emptyStore(t, engine)
    function* breaking() {
      for (let n = 0; n < 6000; n++) yield { ...reading('10:00', 'SAND', 7), at: at('10:00') + n }
      throw new RangeError('the file ends here')
    }
    await assert.rejects(store.readings.saveHistory(breaking()), RangeError)
    assert.deepEqual(await store.readings.readings(DAY), [])
    assert.deepEqual(await store.readings.keptHistory(), [])
    assert.deepEqual(await store.readings.saveHistory([reading('10:00', 'SAND', 7)]), { added: 1, batch: 1 })
  })

  test(`${engine.name}: the feed's readings wait for an import without holding up the process`, async t => {
    const address = await engine.emptyStore(t)
    const [importer, server] = [await temporaryStore(t, address), await temporaryStore(t, address)]
    const many = Array.from({ length: 30_000 }, (_, n) => ({
      ...reading('10:00', `P${n % 10}`, n % 500),
      at: at('10:00') + n,
    }))
    const entry = { name: 'Sand', code: 'SAND', spaces: 7, status: 'good', open: true }
    const [{ added }] = await Promise.all([
      importer.readings.saveHistory(many),
      ...[1, 2, 3].map(n =>
        server.readings.saveObservation({ timestamp: `2025-03-30T09:00:0${n}.000Z`, entries: [entry] }),
      ),
    ])
    assert.equal(added, 30_000)
    assert.equal((await server.readings.readings({ from: 0, to: at('23:00') })).length, 30_003)
  })

  test(`${engine.name}: a renamed car park keeps one history, with its name at each time`, async t => {
    const store = await emptyStore(t, engine)
    await store.readings.saveHistory([
      reading('10:01', 'SAND', 5, { name: 'Old' }),
      reading('10:02', 'sand', 9, { name: 'New' }),
      reading('10:03', 'SAND', 4, { name: 'Old' }),
      reading('11:00', 'sand', 1, { name: 'New' }),
    ])
    const [first, last] = [at('10:01'), at('11:00')]
    assert.deepEqual(await store.readings.keptHistory(), [{ code: 'sand', name: 'New', first, last }])
    const expected = { from: at('10:00'), min: 4, max: 9, sum: 18, count: 3, last: 4 }
    for (const width of ['hour', 'quarter'] as const) {
      const [summary, ...more] = await store.readings.summaries({ ...DAY, code: 'Sand' }, width)
      assert.deepEqual({ ...summary, code: '' }, { code: '', ...expected })
      assert.equal(more.length, 1)
    }
    assert.equal((await store.readings.readings({ ...DAY, code: 'SAND' }))[0]?.name, 'Old')
  })

  test(`${engine.name}: rollups equal the sums of the readings, whatever their order`, async t => {
    const one = fc.record({
      minute: fc.integer({ min: 0, max: 300 }),
      code: fc.constantFrom('A', 'B', 'C'),
      spaces: fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.constantFrom(0, 100_000)),
      live: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(one, { selector: x => `${x.minute} ${x.code}` }), async drawn => {
        const store = await openStore(await engine.emptyStore(t))
        const all = drawn.map(({ minute, code, spaces }) => ({
          ...reading('00:00', code, spaces),
          at: at('00:00') + minute * 60_000,
        }))
        const live = all.filter((_, index) => drawn[index]?.live)
        for (const time of new Set(live.map(one => one.at))) {
          const entries = live
            .filter(one => one.at === time)
            .map(({ code, name, spaces }) => ({ code, name, spaces, status: 'good', open: true }))
          await store.readings.saveObservation({ timestamp: new Date(time).toISOString(), entries })
        }
        await store.readings.saveHistory(all)
        const drop = at('02:20')
        for (const kept of [all, all.filter(one => one.at >= drop)]) {
          if (kept !== all) assert.equal(await store.readings.dropHistory(drop), all.length - kept.length)
          for (const [width, ms] of [
            ['hour', HOUR],
            ['quarter', HOUR / 4],
          ] as const) {
            const found = await store.readings.summaries(DAY, width)
            assert.deepEqual(found, summed(kept, ms).sort(bySummary))
          }
        }
        await store.close()
      }),
      { numRuns: 25 },
    )
  })

  test(`${engine.name}: deletion keeps later readings, also for the latest observation`, async t => {
    const store = await emptyStore(t, engine)
    const entry = { name: 'Sand', code: 'SAND', spaces: 7, status: 'good', open: true }
    for (const time of ['09:10', '09:50', '10:00'])
      await store.readings.saveObservation({ timestamp: `2025-03-30T${time}:00.000Z`, entries: [entry] })
    assert.equal(await store.readings.dropHistory(at('09:30')), 1)
    assert.equal(await store.readings.dropHistory(at('09:30')), 0)
    assert.equal((await store.readings.keptHistory())[0]?.first, at('09:50'))
    assert.equal((await store.readings.latestObservation())?.timestamp, '2025-03-30T10:00:00.000Z')
    assert.equal(await store.readings.dropHistory(at('12:00')), 2)
    assert.equal(await store.readings.latestObservation(), undefined)
  })
}
