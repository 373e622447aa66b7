import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Slice } from '../load/rounds.ts'
import {
  DEEP_PAGE_UNCACHED,
  FIRST_PAGE_UNCACHED,
  LIST_UNLOGGED,
  MIX_UNCACHED,
  PAGE_UNLOGGED,
  SCENARIOS,
} from '../load/scenarios.ts'
import { compareCosts, figuresOf, type Measured, sumUp } from './measured.ts'
import { describeSize } from './report.ts'
import type { SizeResults } from './results.ts'
import { spread } from './statistics.ts'
import { checkTargets, describeTargets } from './targets.ts'

const slice = (cpuMicros: number, perSecond = 1000): Slice => ({
  ...{ connections: 64, perSecond, cpuMicros, p99Ms: 2 },
})

/** A scenario whose bare server takes 10 microseconds. */
function measured(name: string, slices: Slice[]): Measured {
  const scenario = SCENARIOS.find(each => each.name === name)
  assert.ok(scenario, name)
  return sumUp(scenario, [slices.map(() => slice(10)), slices])
}

const size = (rows: number, scenarios: Measured[], more: Partial<SizeResults> = {}): SizeResults => ({
  ...{ rows, scenarios, dataSeconds: 12, start: null, memory: null },
  ...{ switching: null, workers: null, sql: null, streams: null },
  ...more,
})

const NODE_20 = { node: 'v20.20.2' }

const check = (...sizes: SizeResults[]) =>
  checkTargets({ machine: NODE_20, sizes }).map(
    ({ what, met, figure }) => `${met ? 'met' : 'missed'}: ${what}: ${figure}`,
  )

test('the ratio is by the least processor time of each server, throughput is the median of the rounds', () => {
  const toilets = sumUp({ name: 'toilets', kind: 'ready' }, [
    [slice(10), slice(8), slice(12)],
    [slice(16, 900), slice(20, 480), slice(18, 800)],
  ])
  assert.equal(toilets.ratio?.ofLeast, 0.5)
  assert.deepEqual(toilets.service.cpuMicros, { median: 18, min: 16, max: 20 })
  assert.equal(toilets.service.perSecond, 800)
})

test('ready answers are held to the bare server, and where processor time is unknown they are not judged', () => {
  const slow = measured('toilets', [slice(20)])
  const fast = measured('carparks', [slice(11)])
  const unknown = measured('recycling', [slice(Number.NaN)])
  assert.deepEqual(check(size(131_000, [slow, fast, unknown])), [
    'missed: ready answers, of the bare server at 131,000 rows at least 0.78: 1 of 2; toilets 0.50',
  ])
  assert.deepEqual(check(size(131_000, [fast])), [
    'met: ready answers, of the bare server at 131,000 rows at least 0.78: carparks 0.91',
  ])
  assert.deepEqual(check(size(131_000, [unknown])), [])
  assert.match(describeSize(size(131_000, [unknown])), /^\| recycling \|.*\| +– \|.*\| +1,000 \|/m)
})

test('a report names the rows in which the thirds of the rounds disagree', () => {
  const steady = measured('toilets', [slice(20), slice(30), slice(20.5), slice(20), slice(20.5)])
  const shaken = measured('carparks', [slice(20), slice(20), slice(21), slice(21)])
  assert.match(
    describeSize(size(131_000, [steady, shaken])),
    /^The machine is too busy: .* more than 3 % apart in 1 of 2 rows: carparks$/m,
  )
  assert.doesNotMatch(describeSize(size(131_000, [steady])), /too busy/)
})

test('the uncached mix is held to the bare server and to its own growth', () => {
  const small = size(131_000, [measured(MIX_UNCACHED, [slice(31)])])
  const large = size(1_310_000, [measured(MIX_UNCACHED, [slice(96)])])
  assert.deepEqual(check(small, large), [
    'met: uncached mix, of the bare server at 131,000 rows at least 0.3: mix, no cache 0.32',
    'missed: CPU of the uncached mix, by the same at 131,000 rows, at 1,310,000 rows at most 3: 3.1',
  ])
})

test('a deep page is held to the first one, and a release switch to losing nothing', () => {
  const pages = [measured(FIRST_PAGE_UNCACHED, [slice(20)]), measured(DEEP_PAGE_UNCACHED, [slice(25)])]
  const switching = {
    ...{ switches: 2, perSecond: 100, answers: 1000, failed: 1, firstFailure: '' },
    ...{ p50Ms: 1, p99Ms: 3, p50WithoutMs: 1, p99WithoutMs: 6 },
    ...{ seenMs: spread([300, 500, 1200]), stallMs: spread([12, 21]), stallWithoutMs: 2 },
  }
  assert.deepEqual(check(size(2000, pages, { switching })), [
    'met: p99 at half load with release switches at 2,000 rows at most 30 ms: 3 ms',
    'missed: requests lost in release switches at 2,000 rows at most 0: 1',
    'missed: event-loop stall in a release switch at 2,000 rows at most 20 ms: 21 ms',
    'missed: CPU of page 4,000, by page 1, at 2,000 rows at most 1.2: 1.25',
  ])
  assert.match(check(size(131_000, [], { switching }))[0] ?? '', /^missed: p99 .* at most 5 ms: 6 ms$/)
  assert.match(check(size(1_000_000, [], { switching })).at(-1) ?? '', /^met: time .* 1,000 ms: 500 ms$/)
})

test('memory and start have their targets at the size that they are set for', () => {
  const memory = { total: 5e8, peak: 6e8, rest: 1e8, bytesARow: 400 }
  const start = { times: 3, answerMs: spread([500, 700, 901]), cpuToAnswer: 0.8, cpuToIdle: 1.6 }
  assert.deepEqual(check(size(131_000, [], { memory, start })), [
    'met: start to first answer with Node v20.20.2 at 131,000 rows at most 900 ms: 700 ms',
    'missed: CPU of a start until idle at 131,000 rows at most 1.5 s: 1.6 s',
  ])
  assert.deepEqual(check(size(1_000_000, [], { memory, start })), [
    'met: start to first answer at 1,000,000 rows at most 1,500 ms: 700 ms',
    'missed: memory a row at 1,000,000 rows at most 350 bytes: 400 bytes',
  ])
  const [with24] = checkTargets({ machine: { node: 'v24.21.0' }, sizes: [size(131_000, [], { start })] })
  assert.deepEqual(with24, {
    what: 'start to first answer with Node v24.21.0 at 131,000 rows at most 600 ms',
    ...{ met: false, figure: '700 ms' },
  })
})

test('two workers are held to the processor time of one process, the dearest request counts, and the larger worker', () => {
  const costs = [10.7, 10.9].map(theirs => {
    const [alone, both] = [[slice(10)], [slice(theirs)]]
    return { name: 'toilets', one: figuresOf(alone), two: figuresOf(both), ratio: compareCosts(both, alone) }
  })
  const workers = { costs, primary: 60e6, workers: [150e6, 160e6] }
  assert.deepEqual(check(size(131_000, [], { workers })), [
    'missed: CPU of a request with two workers, by one process, at 131,000 rows at most 1.08: 1.09',
    'met: memory of a second worker at 131,000 rows at most 170 MB: 160 MB',
  ])
  assert.match(describeSize(size(131_000, [], { workers })), /each worker \(PSS\) +\| +60, 150, 160 MB \|/)
})

test('answers without request log have targets of their own', () => {
  assert.deepEqual(
    check(size(1000, [measured(PAGE_UNLOGGED, [slice(11.7)]), measured(LIST_UNLOGGED, [slice(11.7)])])),
    [
      'missed: 30 vehicles without request log, of the bare server at 1,000 rows at least 0.86: vehicles first page, no log 0.85',
      'met: a list without request log, of the bare server at 1,000 rows at least 0.85: carparks, no log 0.85',
    ],
  )
})

test('queries are told beside the same by SQL', () => {
  const sql = { importSeconds: 150, queries: [{ name: 'make=ford', memoryMs: 0.5, sqlMs: 670 }] }
  const text = describeSize(size(10_000_000, [], { sql }))
  assert.match(text, /^\| make=ford +\| +0\.50 \| +670\.00 \| 1,340 \|$/m)
})

test('the report has a row for each scenario, and counts the targets', () => {
  const scenarios = [
    measured('toilets', [slice(20, 990), slice(25, 980), slice(21, 970)]),
    measured(MIX_UNCACHED, [slice(31)]),
  ]
  const text = describeSize(size(131_000, scenarios))
  assert.match(text, /^## 131,000 vehicles \(two releases made in 12\.0 s\)/)
  const rows = [...text.matchAll(/^\| (?:toilets|mix).*$/gm)].map(([row]) => row.replace(/ +/g, ' '))
  assert.deepEqual(rows, [
    '| toilets | 10 | 10 | 20 | 21 | 0.500 | 0.400–0.500 | 1,000 | 980 | 2.00 |',
    '| mix, no cache | 10 | 10 | 31 | 31 | 0.323 | 0.323–0.323 | 1,000 | 1,000 | 2.00 |',
  ])
  assert.match(
    describeTargets(checkTargets({ machine: NODE_20, sizes: [size(131_000, scenarios)] })),
    /^## Targets: 1 met, 1 missed/,
  )
})

test('streams are told by format, as ratios to JSON', () => {
  const figures = { format: 'csv', bytes: 19_000_000, rowsPerSecond: 131_000, bytesPerSecond: 1.9e7 }
  const csv = { ...figures, cpuMicros: 7.63, ratio: { median: 0.25, min: 0.2, max: 0.3 } }
  const text = describeSize(size(131_000, [], { streams: [csv] }))
  const rows = [...text.matchAll(/^\| csv .*$/gm)].map(([row]) => row.replace(/ +/g, ' '))
  assert.deepEqual(rows, ['| csv | 19.0 | 131 | 19.0 | 0.25 | 0.20–0.30 | 7.63 |'])
})
