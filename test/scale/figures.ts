import { availableParallelism, cpus } from 'node:os'
import type { TestContext } from 'node:test'
import type { Met } from '../support/judged-load.ts'

/** What one fault came to. */
export interface FaultFigures extends Met {
  readonly register: string
  readonly fault: string
  /** The oldest live reading that was served meanwhile, in seconds. */
  readonly oldestReadingS: number
  /** What took how long, in seconds. */
  readonly seconds: Readonly<Record<string, number>>
}

/** What it was measured on. */
export const machine = `${availableParallelism()} cores of ${cpus()[0]?.model ?? 'an unknown kind'}, Node ${process.version}`

/** Prints the figures as a table. */
export function tellFigures(t: TestContext, figures: readonly FaultFigures[]): void {
  t.diagnostic(machine)
  t.diagnostic(
    '| register | fault | what took how long, s | answers | 503 | last 503 after, s | slowest, ms | oldest reading, s |',
  )
  t.diagnostic('|---|---|---|---|---|---|---|---|')
  for (const one of figures) {
    const { register, fault, answers, refusals, slowestMs } = one
    const seconds = Object.entries(one.seconds).map(([what, value]) => `${what} ${value.toFixed(1)}`)
    const [last, oldest] = [one.lastRefusalS.toFixed(1), one.oldestReadingS.toFixed(1)]
    const cells = [
      register,
      fault,
      seconds.join(', '),
      answers,
      refusals,
      last,
      Math.round(slowestMs),
      oldest,
    ]
    t.diagnostic(`| ${cells.join(' | ')} |`)
  }
}
