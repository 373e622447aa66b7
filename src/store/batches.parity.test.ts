import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { temporaryStore } from '../../test/support/service.ts'
import { ENGINES, type TestedEngine } from '../../test/support/store-engines.ts'
import { HOUR_MS } from '../values/time-units.ts'
import { openStore } from './open-store.ts'
import type { HistoricReading, ReadingStore } from './store.ts'

const MINUTE = 60_000
const START = Date.parse('2025-03-30T10:00:00Z')
const DAY = { from: START, to: START + 24 * HOUR_MS }
const at = (minute: number) => START + minute * MINUTE
const reading = (minute: number, code: string, spaces: number, name = code): HistoricReading => ({
  at: at(minute),
  code,
  name,
  spaces,
  open: null,
  status: null,
})
const observation = (minute: number, codes: readonly string[], spaces: number) => ({
  timestamp: new Date(at(minute)).toISOString(),
  entries: codes.map(code => ({ code, name: code, spaces, status: 'good', open: true })),
})

const emptyStore = async (t: TestContext, engine: TestedEngine) =>
  (await temporaryStore(t, await engine.emptyStore(t))).readings

const kept = async (store: ReadingStore) =>
  (await store.readings(DAY)).map(
    ({ code, spaces, ...one }) => `${(one.at - START) / MINUTE} ${code} ${spaces}`,
  )

for (const engine of ENGINES) {
  test(`${engine.name}: each import is a batch with number, time, source and what it added`, async t => {
    const store = await emptyStore(t, engine)
    assert.deepEqual(await store.origins(), { batches: [], feed: undefined })
    const begun = Date.now()
    await store.saveHistory(
      [reading(0, 'A', 1), reading(5, 'a', 2, 'new name'), reading(5, 'B', 3)],
      'a "b"\0.csv',
    )
    await store.saveObservation(observation(7, ['A', 'C'], 4))
    await store.saveHistory([reading(5, 'B', 9), reading(9, 'B', 5)], '-')
    const { batches, feed } = await store.origins()
    const [second, first] = batches
    assert.deepEqual(feed, { readings: 2, carParks: 2, first: at(7), last: at(7) })
    assert.deepEqual(
      [first, second].map(batch => ({ ...batch, importedAt: null })),
      [
        {
          number: 1,
          importedAt: null,
          source: 'a "b"\0.csv',
          repeatedBy: [2],
          readings: 3,
          carParks: 2,
          first: at(0),
          last: at(5),
        },
        {
          number: 2,
          importedAt: null,
          source: '-',
          repeatedBy: [],
          readings: 1,
          carParks: 1,
          first: at(9),
          last: at(9),
        },
      ],
    )
    for (const batch of batches) {
      const time = Date.parse(batch.importedAt)
      assert.ok(time >= begun && time <= Date.now(), batch.importedAt)
    }
  })

  test(`${engine.name}: a removed batch is gone with what other imports skipped; its number is not given again`, async t => {
    const store = await emptyStore(t, engine)
    const again = [reading(5, 'A', 8), reading(90, 'A', 3)]
    await store.saveHistory([reading(0, 'A', 1), reading(5, 'A', 2)], 'first')
    await store.saveHistory(again, 'second')
    const revision = await store.historyRevision()
    assert.deepEqual(await store.removeBatch(1), { readings: 2, carParks: 1, first: at(0), last: at(5) })
    assert.ok((await store.historyRevision()) > revision)
    assert.deepEqual(await kept(store), ['90 A 3'])
    assert.deepEqual((await store.keptHistory())[0]?.first, at(90))
    assert.deepEqual(await store.saveHistory(again, 'second'), { added: 1, batch: 3 })
    assert.deepEqual(await kept(store), ['5 A 8', '90 A 3'])

    await store.removeBatch(3)
    assert.deepEqual(await store.saveHistory([reading(1, 'A', 1)]), { added: 1, batch: 4 })
    const last = await store.historyRevision()
    for (const unknown of [1, 3, 5, -1]) assert.equal(await store.removeBatch(unknown), undefined)
    assert.equal(await store.historyRevision(), last)
  })

  test(`${engine.name}: retention takes readings off their batches; an emptied batch is not listed`, async t => {
    const store = await emptyStore(t, engine)
    await store.saveHistory([reading(0, 'A', 1), reading(5, 'A', 2)], 'old')
    await store.saveHistory([reading(3, 'B', 1), reading(70, 'B', 2)], 'half')
    assert.equal(await store.dropHistory(at(10)), 3)
    assert.deepEqual(
      (await store.origins()).batches.map(({ number, readings, first }) => [number, readings, first]),
      [[2, 1, at(70)]],
    )
    assert.equal(await store.removeBatch(1), undefined)
    assert.equal((await store.removeBatch(2))?.readings, 1)
    assert.deepEqual(await store.keptHistory(), [])
  })

  test(`${engine.name}: after any imports, observations and removals, readings and hours are those of what is left`, async t => {
    const minute = fc.integer({ min: 0, max: 40 }).map(five => five * 5)
    const code = fc.constantFrom('A', 'B')
    const spaces = fc.integer({ min: 0, max: 500 })
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('import' as const),
        found: fc.array(fc.tuple(minute, code, spaces), { minLength: 1 }),
      }),
      fc.record({ kind: fc.constant('observe' as const), minute, code, spaces }),
      fc.record({ kind: fc.constant('remove' as const), number: fc.integer({ min: 1, max: 4 }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 10 }), async steps => {
        const store = await openStore(await engine.emptyStore(t))
        const expected = new Map<string, { batch: number | null; minute: number; spaces: number }>()
        const observed = new Set<number>()
        let last = 0
        for (const step of steps) {
          if (step.kind === 'import') {
            const news = step.found.filter(([minute, code]) => !expected.has(`${minute} ${code}`))
            if (news.length > 0) last++
            for (const [minute, code, spaces] of news)
              if (!expected.has(`${minute} ${code}`))
                expected.set(`${minute} ${code}`, { batch: last, minute, spaces })
            await store.readings.saveHistory(step.found.map(one => reading(...one)))
          } else if (step.kind === 'observe') {
            const { minute, code, spaces } = step
            if (!observed.has(minute)) expected.set(`${minute} ${code}`, { batch: null, minute, spaces })
            observed.add(minute)
            await store.readings.saveObservation(observation(minute, [code], spaces))
          } else {
            for (const [key, { batch }] of expected) if (batch === step.number) expected.delete(key)
            await store.readings.removeBatch(step.number)
          }
        }
        const left = [...expected].map(([key, one]) => ({ key, ...one }))
        assert.deepEqual(
          (await kept(store.readings)).sort(),
          left.map(({ key, spaces }) => `${key} ${spaces}`).sort(),
        )
        const hours = await store.readings.summaries(DAY, 'hour')
        for (const { code, from, count, sum } of hours) {
          const own = left.filter(
            ({ key, minute }) => key.endsWith(code) && Math.floor(at(minute) / HOUR_MS) * HOUR_MS === from,
          )
          assert.deepEqual([count, sum], [own.length, own.reduce((total, { spaces }) => total + spaces, 0)])
        }
        assert.equal(
          hours.reduce((sum, { count }) => sum + count, 0),
          left.length,
        )
        const { batches, feed } = await store.readings.origins()
        assert.deepEqual(
          batches.map(({ number, readings }) => [number, readings]),
          [...new Set(left.map(({ batch }) => batch))]
            .filter(batch => batch !== null)
            .sort((a, b) => b - a)
            .map(batch => [batch, left.filter(one => one.batch === batch).length]),
        )
        assert.equal(feed?.readings ?? 0, left.filter(({ batch }) => batch === null).length)
        await store.close()
      }),
      { numRuns: 15 },
    )
  })
}
