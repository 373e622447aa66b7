import { parseArgs } from 'node:util'

/** The settings of a back-test. */
export interface Flags {
  readonly files: readonly string[]
  /** The first and last day of forecasts (YYYY-MM-DD, local); all days if undefined. */
  readonly from: string | undefined
  readonly to: string | undefined
  /** Minutes from one forecast to the next. */
  readonly every: number
  readonly timeZone: string
}

/** The text of `--help`. */
export const USAGE = `npm run bench:forecast -- [flags]

  --history FILE      a history file to learn from and to forecast, more than once if need be; without one the
                      synthetic island's past
  --from YYYY-MM-DD   the first day on which forecasts are made; what is earlier is only learnt from
  --to YYYY-MM-DD     the last such day
  --every N           a forecast each N minutes, 5 or more (15)
  --zone ZONE         the clock of the files and of the hours that count (Europe/Jersey)
`

const OPTIONS = {
  history: { type: 'string', multiple: true, default: [] as string[] },
  from: { type: 'string' },
  to: { type: 'string' },
  every: { type: 'string', default: '15' },
  zone: { type: 'string', default: 'Europe/Jersey' },
  help: { type: 'boolean', default: false },
} as const

/** Reads the flags of the command; undefined for `--help`. Throws for a wrong value. */
export function readFlags(words: readonly string[]): Flags | undefined {
  const { values } = parseArgs({ args: [...words], options: OPTIONS })
  if (values.help) return undefined
  const every = Number(values.every)
  if (!(Number.isInteger(every) && every >= 5 && every % 5 === 0))
    throw new RangeError(`--every "${values.every}" is no multiple of 5`)
  return {
    files: values.history,
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
