import { parseArgs } from 'node:util'

/** The settings of a run. */
export interface Flags {
  readonly quick: boolean
  /** Numbers of vehicles, one run for each. */
  readonly rows: readonly number[]
  /** The length of one measurement. */
  readonly seconds: number
  /** How often each target of a scenario is measured. */
  readonly rounds: number
  /** Selects scenarios and figures by name; all if undefined. */
  readonly only: RegExp | undefined
  /** The file for the results as JSON. */
  readonly json: string
  /** A folder that keeps data from run to run. If undefined, data is made for each run and removed. */
  readonly store: string | undefined
  /** Whether to build the service first. */
  readonly build: boolean
}

/** The text of `--help`. */
export const USAGE = `npm run bench -- [flags]

  --quick             131,000 rows, short slices, the scenarios with a target: under two minutes
  --rows N,N          numbers of vehicles (131000,1000000)
  --ten-million       10,000,000 rows as well
  --seconds N         length of a slice (1; quick 0.05)
  --rounds N          slices of each target in a scenario (9; quick 25)
  --only PATTERN      scenarios and figures whose names match this regular expression
  --json FILE         where the figures go as JSON (bench/results/latest.json)
  --store FOLDER      keep the data there, and use what is there (a temporary folder)
  --no-build          measure dist/ as it is
`

const OPTIONS = {
  quick: { type: 'boolean', default: false },
  rows: { type: 'string' },
  'ten-million': { type: 'boolean', default: false },
  seconds: { type: 'string' },
  rounds: { type: 'string' },
  only: { type: 'string' },
  json: { type: 'string', default: 'bench/results/latest.json' },
  store: { type: 'string' },
  'no-build': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** Reads the words of the command; undefined for `--help`. Throws if a word is wrong. */
export function readFlags(words: readonly string[]): Flags | undefined {
  const { values } = parseArgs({ args: [...words], options: OPTIONS })
  if (values.help) return undefined
  const { quick } = values
  const rows = (values.rows ?? (quick ? '131000' : '131000,1000000'))
    .split(',')
    .map(text => whole('rows', text))
  if (values['ten-million']) rows.push(10_000_000)
  return {
    quick,
    rows: rows.toSorted((a, b) => a - b),
    seconds: positive('seconds', values.seconds ?? (quick ? '0.05' : '1')),
    rounds: whole('rounds', values.rounds ?? (quick ? '25' : '9')),
    only: values.only === undefined ? undefined : new RegExp(values.only, 'i'),
    json: values.json,
    store: values.store,
    build: !values['no-build'],
  }
}

export function positive(name: string, text: string): number {
  const number = Number(text)
  if (!(number > 0 && number < Number.POSITIVE_INFINITY))
    throw new RangeError(`--${name} "${text}" is no positive number`)
  return number
}

export function whole(name: string, text: string): number {
  const number = positive(name, text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`--${name} "${text}" is no whole number`)
  return number
}
