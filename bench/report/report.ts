import type { Machine } from '../servers/machine.ts'
import type { Measured } from './measured.ts'
import { decimal, ratioText, short, whole } from './numbers.ts'
import type { BesideSql, Results, SizeResults, StreamFigures } from './results.ts'
import type { Quotient } from './statistics.ts'
import { markdownTable } from './table.ts'

/** Two runs of the same build differ by less, as a share. */
const APART = 0.03

const HEADER = [
  'scenario',
  'bare least µs',
  'median µs',
  'service least µs',
  'median µs',
  'ratio by least',
  'quartiles',
  'bare req/s',
  'service req/s',
  'p99 ms',
]

/** The machine and the method of a run. */
export function describeRun({ machine, rounds, seconds, quick }: Results): string {
  return [
    `${machineText(machine)}`,
    `${rounds} rounds of ${seconds} s for each target, in turn; 64 connections; ${machine.pinned ? 'server and load each on a core of its own' : 'NOT pinned: server and load share the cores'}${quick ? '; quick' : ''}`,
  ].join('\n')
}

const machineText = ({ cpu, cores, memoryGb, node, system, date }: Machine) =>
  `${cpu}, ${cores} cores, ${memoryGb} GB, ${system}, Node ${node}, ${date}`

/** The figures of one size as Markdown. */
export function describeSize(size: SizeResults): string {
  const { rows, scenarios, dataSeconds } = size
  const made = dataSeconds === null ? '' : ` (two releases made in ${decimal(dataSeconds, 1)} s)`
  const parts = [`## ${whole(rows)} vehicles${made}`]
  if (scenarios.length > 0) parts.push(markdownTable(HEADER, scenarios.map(row)), ...doubts(scenarios))
  const others = otherFigures(size)
  if (others.length > 0) parts.push(markdownTable(['figure', 'value'], others))
  if (size.sql !== null) parts.push(describeBesideSql(size.sql))
  if (size.streams !== null) parts.push(describeStreams(size.streams))
  return parts.join('\n\n')
}

function describeBesideSql({ queries, importSeconds }: BesideSql): string {
  const rows = queries.map(({ name, memoryMs, sqlMs }) => [
    name,
    decimal(memoryMs),
    decimal(sqlMs),
    short(sqlMs / memoryMs),
  ])
  const header = [
    `one query at a time (imported in ${whole(importSeconds)} s)`,
    'memory ms',
    'SQL ms',
    'times',
  ]
  return markdownTable(header, rows)
}

function describeStreams(streams: readonly StreamFigures[]): string {
  const rows = streams.map(figures => [
    figures.format,
    decimal(figures.bytes / 1e6, 1),
    whole(figures.rowsPerSecond / 1000),
    decimal(figures.bytesPerSecond / 1e6, 1),
    ratioText(figures.ratio.median),
    `${ratioText(figures.ratio.min)}–${ratioText(figures.ratio.max)}`,
    short(figures.cpuMicros),
  ])
  return markdownTable(
    ['stream of the whole register', 'MB', 'rows/ms', 'MB/s', 'rows/s of JSON', 'min–max', 'CPU µs a row'],
    rows,
  )
}

function row({ name, bare, service, ratio }: Measured): string[] {
  return [
    name,
    ...[bare, service].flatMap(({ cpuMicros }) => [short(cpuMicros?.min), short(cpuMicros?.median)]),
    decimal(ratio?.ofLeast, 3),
    rangeText(ratio),
    whole(bare.perSecond),
    whole(service.perSecond),
    decimal(service.p99Ms),
  ]
}

const rangeText = (ratio: Quotient | null) =>
  ratio === null ? '–' : ratio.quartiles.map(figure => decimal(figure, 3)).join('–')

/** Names the rows that a second run of the same build may contradict. */
function doubts(scenarios: readonly Measured[]): string[] {
  const rows = scenarios.filter(({ ratio }) => ratio !== null && ratio.apart > APART)
  if (rows.length === 0) return []
  const named = rows.map(({ name }) => name).join('; ')
  return [
    `The machine is too busy: the first, second and last third of the rounds give ratios more than ${APART * 100} % apart in ${rows.length} of ${scenarios.length} rows: ${named}`,
  ]
}

const MIB = 2 ** 20

function otherFigures({ start, memory, switching, workers }: SizeResults): [string, string][] {
  const figures: [string, string][] = []
  if (start !== null)
    figures.push(
      [
        `start to first answer, best and median of ${start.times}`,
        `${whole(start.answerMs.min)}, ${whole(start.answerMs.median)} ms`,
      ],
      [
        'CPU of a start: to first answer, until idle',
        `${decimal(start.cpuToAnswer)}, ${decimal(start.cpuToIdle)} s`,
      ],
    )
  if (memory !== null)
    figures.push([
      'memory: all, peak, without vehicles, a row',
      `${whole(memory.total / MIB)}, ${whole(memory.peak / MIB)}, ${whole(memory.rest / MIB)} MiB, ${whole(memory.bytesARow)} bytes`,
    ])
  if (switching !== null) {
    const { seenMs, stallMs, stallWithoutMs, p50Ms, p99Ms, failed, answers } = switching
    figures.push(
      [
        `uncached mix at half load, ${whole(switching.perSecond)} req/s: p50, p99`,
        `${decimal(switching.p50WithoutMs)}, ${decimal(switching.p99WithoutMs)} ms`,
      ],
      [
        `the same with ${switching.switches} release switches: p50, p99, failed of answers`,
        `${decimal(p50Ms)}, ${decimal(p99Ms)} ms, ${whole(failed)} of ${whole(answers)}`,
      ],
      ['release seen after: median, longest', `${whole(seenMs.median)}, ${whole(seenMs.max)} ms`],
      [
        'longest event-loop stall: of all switches, median of a switch, not switching',
        `${[stallMs.max, stallMs.median, stallWithoutMs].map(ms => decimal(ms, 1)).join(', ')} ms`,
      ],
    )
  }
  if (workers !== null)
    figures.push(
      ...workers.costs.map(({ name, one, two, ratio }): [string, string] => [
        `${name}: CPU with one process, two workers, ratio, quartiles`,
        `${short(one.cpuMicros?.min)}, ${short(two.cpuMicros?.min)} µs, ${ratioText(ratio?.ofLeast)}, ${rangeText(ratio)}`,
      ]),
      [
        'memory of two workers: primary, each worker (PSS)',
        `${[workers.primary, ...workers.workers].map(bytes => whole(bytes / 1e6)).join(', ')} MB`,
      ],
    )
  return figures
}
