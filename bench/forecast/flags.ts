import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/** What the back-test was asked to do. */
export interface Flags {
  readonly files: readonly string[]
  /** First and last day (YYYY-MM-DD, local) on which forecasts are made; all days where not given. */
  readonly from: string | undefined
  readonly to: string | undefined
  /** A forecast is made each so many minutes. */
  readonly every: number
  readonly timeZone: string
}

/** Read where no file is named. */
export const DEFAULT_FILE = fileURLToPath(
  new URL('../../../shared/data/parking-history/parking-spaces-2024-09_2025-10.csv', import.meta.url),
)

/** What `--help` prints. */
export const USAGE = `npm run bench:forecast -- [flags] [history files]

  --from YYYY-MM-DD   the first day on which forecasts are made; what is earlier is only learnt from
  --to YYYY-MM-DD     the last such day
  --every N           a forecast each N minutes, 5 or more (15)
  --zone ZONE         the clock of the files and of the hours that count (Europe/Jersey)

Without files, those of the history beside the project: ${DEFAULT_FILE}
`

const OPTIONS = {
  from: { type: 'string' },
  to: { type: 'string' },
  every: { type: 'string', default: '15' },
  zone: { type: 'string', default: 'Europe/Jersey' },
  help: { type: 'boolean', default: false },
} as const

/** Reads the words of the command; undefined where help is asked for. Throws with what is wrong. */
export function readFlags(words: readonly string[]): Flags | undefined {
  const { values, positionals } = parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true })
  if (values.help) return undefined
  const every = Number(values.every)
  if (!(Number.isInteger(every) && every >= 5 && every % 5 === 0))
    throw new RangeError(`--every "${values.every}" is no multiple of 5`)
  return {
    files: positionals.length === 0 ? [DEFAULT_FILE] : positionals,
    from: day('from', values.from),
    to: day('to', values.to),
    every,
    timeZone: values.zone,
  }
}

function day(name: string, text: string | undefined): string | undefined {
  if (text !== undefined && !(/^\d{4}-\d\d-\d\d$/.test(text) && Number.isFinite(Date.parse(text))))
    throw new RangeError(`--${name} "${text}" is no day as YYYY-MM-DD`)
  return text
}
