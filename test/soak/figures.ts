import { writeFile } from 'node:fs/promises'
import type { TestContext } from 'node:test'
import { machine } from '../scale/figures.ts'
import type { Met } from '../support/judged-load.ts'
import type { Trend } from './process-watch.ts'
import { RESULTS, SEED } from './settings.ts'

/** What one fault came to, one time. */
interface Occurrence extends Met {
  readonly fault: string
  /** From the end of the fault until every client was answered, in seconds. */
  readonly wellS: number
  /** The oldest live reading that was served meanwhile, in seconds. */
  readonly oldestReadingS: number
}

/** What a stage came to. */
export interface StageFigures {
  readonly stage: string
  readonly occurrences: Occurrence[]
  trends: readonly Trend[]
  slowestLivezMs: number
  wrong: number
  ended: number
}

/** The part of questions that were answered, of those that were not refused by a documented 503. */
export function availability({ occurrences }: StageFigures): number {
  const answered = sum(occurrences, 'answers') - sum(occurrences, 'refusals')
  return answered / (answered + sum(occurrences, 'lost'))
}

/** Prints the figures as a table of faults for each stage, and a line of what held throughout. */
export async function tellFigures(t: TestContext, stages: readonly StageFigures[]): Promise<void> {
  t.diagnostic(`SOAK_SEED=${SEED}, ${machine}`)
  for (const figures of stages) {
    const { stage, occurrences } = figures
    t.diagnostic(stage)
    t.diagnostic(
      '| fault | times | answers | 503 | lost | longest answer, ms | well after, s | oldest reading, s |',
    )
    t.diagnostic('|---|---|---|---|---|---|---|---|')
    for (const fault of new Set(occurrences.map(({ fault }) => fault)))
      t.diagnostic(row(occurrences.filter(one => one.fault === fault)))
    t.diagnostic(summary(figures))
  }
  if (RESULTS) await writeFile(RESULTS, `${JSON.stringify({ machine, seed: SEED, stages }, null, 2)}\n`)
}

function row(all: readonly Occurrence[]): string {
  const most = (of: keyof Omit<Occurrence, 'fault'>) => Math.max(...all.map(one => one[of]))
  const cells = [
    ...[all[0]?.fault, all.length, sum(all, 'answers'), sum(all, 'refusals'), sum(all, 'lost')],
    ...[Math.round(most('slowestMs')), most('wellS').toFixed(1), most('oldestReadingS').toFixed(1)],
  ]
  return `| ${cells.join(' | ')} |`
}

function summary(figures: StageFigures): string {
  const { occurrences, trends, wrong, ended, slowestLivezMs } = figures
  const [slowest] = occurrences.toSorted((one, other) => other.slowestMs - one.slowestMs)
  return [
    `${occurrences.length} faults, ${sum(occurrences, 'answers')} answers, ${wrong} wrong`,
    `${sum(occurrences, 'refusals')} documented 503, ${sum(occurrences, 'lost')} lost connections`,
    `availability ${(100 * availability(figures)).toFixed(3)} %`,
    `the longest answer ${Math.round(slowest?.slowestMs ?? 0)} ms (${slowest?.fault}), of /livez ${Math.round(slowestLivezMs)} ms`,
    ...trends.map(
      ({ name, of, from, to, isFlat }) =>
        `${name}: ${of} ${from.toFixed(0)} to ${to.toFixed(0)}${isFlat ? '' : ' (GROWS)'}`,
    ),
    `${ended} unexpected ends`,
  ].join('; ')
}

const sum = (all: readonly Occurrence[], of: 'answers' | 'refusals' | 'lost') =>
  all.reduce((total, one) => total + one[of], 0)
