import { parseArgs } from 'node:util'
import { whole } from '../flags.ts'

/** The settings of the bench of the store on PostgreSQL. */
export interface Flags {
  /** Numbers of vehicles, one run for each. */
  readonly rows: readonly number[]
  /** How often each query runs, after half as many runs to warm up. */
  readonly times: number
  /** Whether to print the plan of each statement. */
  readonly plans: boolean
  /** Whether Citus distributes the rows. */
  readonly citus: boolean
}

/** The text of `--help`. */
export const USAGE = `npm run bench:sql -- [flags]

  --rows N,N   numbers of vehicles (131000,1000000); 10000000 takes most of an hour and 20 GB in the temporary folder
  --times N    how often each question is asked (30)
  --plans      prints the plan of each statement as well
  --citus      on a coordinator of Citus with two workers, all on this machine

Needs PostgreSQL's programs; starts servers of its own, and removes them.
`

const OPTIONS = {
  rows: { type: 'string', default: '131000,1000000' },
  times: { type: 'string', default: '30' },
  plans: { type: 'boolean', default: false },
  citus: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** Reads the words of the command; undefined for `--help`. Throws if a word is wrong. */
export function readFlags(words: readonly string[]): Flags | undefined {
  const { values } = parseArgs({ args: [...words], options: OPTIONS })
  if (values.help) return undefined
  return {
    rows: values.rows.split(',').map(text => whole('rows', text)),
    times: whole('times', values.times),
    plans: values.plans,
    citus: values.citus,
  }
}
