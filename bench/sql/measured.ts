import type { Collection } from '../../src/query/query.ts'
import { StoreBusyError } from '../../src/store/store.ts'
import { decimal, whole } from '../report/numbers.ts'
import { percentile } from '../report/statistics.ts'
import { markdownTable } from '../report/table.ts'
import { type BenchQuestion, QUESTIONS } from './questions.ts'

interface Measured {
  readonly question: BenchQuestion
  readonly median: number
  readonly p95: number
}

/** Runs each query `times` times, one after another, once its data is in memory. Returns a table in Markdown. */
export async function measure(table: Collection, rows: number, times: number): Promise<string> {
  const measured: Measured[] = []
  for (const question of QUESTIONS) measured.push(await measureOne(table, question, times))
  return markdownTable(
    ['', 'median ms', 'p95 ms', `target at ${whole(TARGETS_AT)} rows`, ''],
    measured.map(({ question, median, p95 }) => {
      const { name, targetMs } = question
      const verdict =
        rows !== TARGETS_AT || targetMs === undefined ? '' : median < targetMs ? 'met' : 'MISSED'
      return [name, decimal(median, 1), decimal(p95, 1), targetMs === undefined ? '' : `${targetMs}`, verdict]
    }),
  )
}

/** The number of rows that the targets are for. */
const TARGETS_AT = 10_000_000

async function measureOne(table: Collection, question: BenchQuestion, times: number): Promise<Measured> {
  await once(question, table)
  for (let i = 0; i < times / 2; i++) await question.ask(table)
  const taken = new Float64Array(times)
  for (let i = 0; i < times; i++) {
    const start = performance.now()
    await question.ask(table)
    taken[i] = performance.now() - start
  }
  taken.sort()
  return { question, median: percentile(taken, 0.5), p95: percentile(taken, 0.95) }
}

/** Runs a query for the first time, and repeats it while the store counts all rows. */
async function once(question: BenchQuestion, table: Collection): Promise<void> {
  try {
    await question.ask(table)
  } catch (error) {
    if (!(error instanceof StoreBusyError)) throw error
    await once(question, table)
  }
}
