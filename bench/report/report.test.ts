import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Slice } from '../load/rounds.ts'
import { DEEP_PAGE_UNCACHED, FIRST_PAGE_UNCACHED, MIX_UNCACHED, SCENARIOS } from '../load/scenarios.ts'
import { type Measured, sumUp } from './measured.ts'
import { describeSize } from './report.ts'
import type { SizeResults } from './results.ts'
import { checkTargets, describeTargets } from './targets.ts'

const slice = (perSecond: number, cpuMicros: number, busy = 1): Slice => ({
  ...{ connections: 64, perSecond, cpuMicros, busy, p50Ms: 1, p99Ms: 2 },
})

/** A scenario whose bare server does 1,000 a second at 10 microseconds. */
function measured(name: string, slices: Slice[], sql: Slice[] = []): Measured {
  const scenario = SCENARIOS.find(each => each.name === name)
  assert.ok(scenario, name)
  return sumUp(scenario, [slices.map(() => slice(1000, 10)), slices, sql])
}

const size = (rows: number, scenarios: Measured[], more: Partial<SizeResults> = {}): SizeResults => ({
  ...{ rows, scenarios, dataSeconds: 12, halfLoad: null, start: null, memory: null },
  ...{ switching: null, rateLimit: null, streams: null },
  ...more,
})

const check = (...sizes: SizeResults[]) =>
  checkTargets({ sizes }).map(({ what, met, figure }) => `${met ? 'met' : 'missed'}: ${what}: ${figure}`)

test('the ratio is the median of the rounds, each against the same round of the other', () => {
  const toilets = sumUp({ name: 'toilets', path: '/', kind: 'ready', cache: true, quick: true }, [
    [slice(1000, 10), slice(500, 10), slice(1000, 10)],
    [slice(900, 11), slice(480, 12), slice(800, 10)],
  ])
  assert.deepEqual(toilets.ratio, { median: 0.9, min: 0.8, max: 0.96 })
  assert.equal(toilets.cpuRatio, 10 / 11)
  assert.equal(toilets.idle, false)
  assert.equal(toilets.overSql, null)
})

test('where a server had time to spare the target is judged by processor time', () => {
  const idle = measured('toilets', [slice(990, 20, 0.5)])
  const busy = measured('carparks', [slice(900, 11)])
  assert.deepEqual(check(size(131_000, [idle, busy])), [
    'missed: ready answers, of the bare server at 131,000 rows at least 0.85: 1 of 2; toilets 0.50 by CPU',
  ])
  assert.deepEqual(check(size(131_000, [busy])), [
    'met: ready answers, of the bare server at 131,000 rows at least 0.85: carparks 0.90',
  ])
})

test('the uncached mix is held to the bare server, to SQL and to its own growth', () => {
  const small = size(131_000, [measured(MIX_UNCACHED, [slice(320, 30)], [slice(10, 1000)])])
  const large = size(1_310_000, [measured(MIX_UNCACHED, [slice(100, 93)])])
  assert.deepEqual(check(small, large), [
    'met: uncached mix, of the bare server at 131,000 rows at least 0.3: mix, no cache 0.32',
    'met: uncached mix, times SQL at 131,000 rows at least 25: 32',
    'missed: uncached mix on 10 times the rows (131,000 to 1,310,000) costs at most 3 times as much: 3.1',
  ])
})

test('a deep page is held to the first one, and a release switch to losing nothing', () => {
  const pages = [
    measured(FIRST_PAGE_UNCACHED, [slice(500, 20)]),
    measured(DEEP_PAGE_UNCACHED, [slice(500, 25)]),
  ]
  const switching = {
    ...{ switches: 2, perSecond: 100, answers: 1000, failed: 1, p99Ms: 3 },
    ...{ seenMs: 300, seenLongestMs: 500, stallMs: 12, stallWithoutMs: 2 },
  }
  assert.deepEqual(check(size(2000, pages, { switching })), [
    'missed: page 4,000 costs at most 1.2 times page 1 at 2,000 rows: 1.25',
    'missed: no request lost in a release switch at 2,000 rows: 1 of 1,000',
    'met: event-loop stall in a release switch at 2,000 rows below 40 ms: 12 ms',
    'met: p99 at half load with release switches at 2,000 rows below 100 ms: 3 ms',
  ])
})

test('memory, start and half load have their targets at the size that they are set for', () => {
  const memory = { total: 5e8, peak: 6e8, rest: 1e8, bytesARow: 400 }
  const start = { best: 700, median: 900, times: 3 }
  const rateLimit = { offPerSecond: 100, onPerSecond: 85, ratio: { median: 0.85, min: 0.8, max: 0.9 } }
  const halfLoad = {
    perSecond: 100,
    service: { p50Ms: 1, p99Ms: 6 },
    bare: { p50Ms: 0.2, p99Ms: 0.4 },
  }
  assert.deepEqual(check(size(131_000, [], { memory, start, halfLoad, rateLimit })), [
    'missed: p99 of the uncached mix at half load at 131,000 rows below 5 ms: 6 ms',
    'missed: vehicles with the rate limit on, of the same with it off at 131,000 rows at least 0.9: 0.85',
    'met: start to first answer at 131,000 rows below 1,300 ms: 900 ms',
  ])
  assert.deepEqual(check(size(1_000_000, [], { memory, start, halfLoad })), [
    'missed: memory a row at 1,000,000 rows below 350 bytes: 400 bytes',
  ])
})

test('the report has a row for each scenario, marks those that tell of the load, and counts the targets', () => {
  const scenarios = [
    measured('toilets', [slice(990, 20, 0.5)]),
    measured(MIX_UNCACHED, [slice(320, 30)], [slice(10, 1)]),
  ]
  const text = describeSize(size(131_000, scenarios))
  assert.match(text, /^## 131,000 vehicles \(two releases made in 12\.0 s\)/)
  assert.match(text, /^\| toilets \* +\| +1,000 \| +990 \| +0\.99 \| 0\.99–0\.99 \|/m)
  assert.match(text, /^\| mix, no cache +\|.*\| +10 \| +32 \|$/m)
  assert.match(text, /a server had time to spare/)
  assert.match(
    describeTargets(checkTargets({ sizes: [size(131_000, scenarios)] })),
    /^## Targets: 2 met, 1 missed/,
  )
})

test('streams are told by format and engine, as ratios to JSON', () => {
  const figures = { format: 'csv', bytes: 19_000_000, rowsPerSecond: 131_000, bytesPerSecond: 1.9e7 }
  const csv = { ...figures, cpuMicros: 7.63, ratio: { median: 0.25, min: 0.2, max: 0.3 } }
  const text = describeSize(size(131_000, [], { streams: { memory: [csv], sql: [csv] } }))
  const rows = [...text.matchAll(/^\| csv from (\w+) .*$/gm)].map(([row]) => row.replace(/ +/g, ' '))
  assert.deepEqual(rows, [
    '| csv from memory | 19.0 | 131 | 19.0 | 0.25 | 0.20–0.30 | 7.63 |',
    '| csv from SQL | 19.0 | 131 | 19.0 | 0.25 | 0.20–0.30 | 7.63 |',
  ])
})
