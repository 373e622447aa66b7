import { Temporal } from 'temporal-polyfill'
import { COUNTED, NOW, READINGS } from './live-past.ts'
import { existsOn, type ModelQuery } from './query-model.ts'

/*
 * The rules of history once more, written plainly over a list of readings: each bucket looks through all of them.
 */

/** The parameters of questions about history. */
export const HISTORY_PARAMETERS = ['interval', 'from', 'to', 'format']

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const ZONE = 'Europe/Jersey'
const LONGEST = {
  one: { raw: 31, '15m': 100, '1h': 400, '1d': 1100 },
  all: { raw: 4, '15m': 13, '1h': 50, '1d': 140 },
}
const USUAL = { raw: 1, '15m': 1, '1h': 7, '1d': 31 }
type Interval = keyof typeof USUAL

/** A question about history whose parameters are each right. */
export interface HistoryQuestion {
  readonly interval: Interval
  readonly format: string
  readonly from: number | undefined
  readonly to: number | undefined
}

/** What is asked, or undefined where a value is wrong. */
export function historyQuestion(query: ModelQuery): HistoryQuestion | undefined {
  const interval = query.get('interval') ?? '15m'
  const format = query.get('format') ?? 'json'
  const from = timeOf(query.get('from'), 0)
  const to = timeOf(query.get('to'), 1)
  if (!Object.hasOwn(USUAL, interval) || !['json', 'csv'].includes(format)) return undefined
  return from === null || to === null ? undefined : { interval: interval as Interval, format, from, to }
}

/** The answer about one car park or all, or undefined where the period is wrong. */
export function historyAnswer(
  { interval, format, from: asked, to = NOW }: HistoryQuestion,
  one?: { readonly code: string; readonly name: string },
): string | { readonly csv: string } | undefined {
  const from = asked ?? to - USUAL[interval] * DAY
  if (from < midnight('1970-01-01', 0) || from >= to) return undefined
  if (to - from > LONGEST[one ? 'one' : 'all'][interval] * DAY + 2 * 60 * MINUTE) return undefined
  const codes = one ? [one.code] : COUNTED.map(({ code }) => code)
  const rows = codes.flatMap(code =>
    interval === 'raw' ? rawRows(code, from, to) : bucketRows(code, interval, from, Math.min(to, NOW)),
  )
  if (format === 'csv') return { csv: csvOf(rows, interval) }
  if (one === undefined) return JSON.stringify({ results: rows })
  return JSON.stringify({ ...one, results: rows.map(({ code: _, ...row }) => row) })
}

type Row = Readonly<Record<string, unknown>> & { readonly code: string }

function rawRows(code: string, from: number, to: number): Row[] {
  return countsOf(code, from, to).map(({ code: written, at, spaces, open, status }) => ({
    ...{ code: written, at: iso(at), spaces, open, status },
    quality: at < ASSESSED_FROM ? null : qualityOf(open),
  }))
}

function bucketRows(code: string, interval: Exclude<Interval, 'raw'>, from: number, to: number): Row[] {
  const rows: Row[] = []
  for (let start = startOf(interval, from); start < to; start = nextStart(interval, start)) {
    const readings = countsOf(code, start, nextStart(interval, start))
    const counts = readings.map(({ spaces }) => spaces)
    const count = counts.length
    const sum = counts.reduce((a, b) => a + b, 0)
    const summary =
      count === 0
        ? { min: null, max: null, mean: null }
        : { min: Math.min(...counts), max: Math.max(...counts), mean: hundredths(sum / count) }
    const good = readings.filter(({ open }) => qualityOf(open) === 'good').map(({ spaces }) => spaces)
    const goodSum = good.reduce((a, b) => a + b, 0)
    const isAssessed = count === 0 || start >= ASSESSED_FROM
    const trusted = {
      goodCount: isAssessed ? good.length : null,
      goodMean: isAssessed && good.length > 0 ? hundredths(goodSum / good.length) : null,
    }
    rows.push({ code, from: iso(start), ...summary, last: counts.at(-1) ?? null, count, ...trusted })
  }
  return rows
}

/** What is older than twelve weeks before the last reading is not assessed; what is not closed is good here. */
const ASSESSED_FROM = Math.max(...READINGS.map(({ at }) => at)) - 84 * DAY
const qualityOf = (open: boolean | null) => (open === false ? 'closed' : 'good')

const countsOf = (code: string, from: number, to: number) =>
  READINGS.filter(
    reading => from <= reading.at && reading.at < to && reading.code.toUpperCase() === code.toUpperCase(),
  )

const WIDTH = { '15m': 15 * MINUTE, '1h': 60 * MINUTE }

function startOf(interval: Exclude<Interval, 'raw'>, at: number): number {
  return interval === '1d' ? midnight(dayOf(at), 0) : at - (at % WIDTH[interval])
}

function nextStart(interval: Exclude<Interval, 'raw'>, start: number): number {
  return interval === '1d' ? midnight(dayOf(start), 1) : start + WIDTH[interval]
}

const dayOf = (at: number): string =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(ZONE).toPlainDate().toString()

const midnight = (day: string, daysLater: number): number =>
  Temporal.PlainDate.from(day).add({ days: daysLater }).toZonedDateTime(ZONE).epochMilliseconds

/** The instant that a text means, a date being its midnight or the next; undefined without text, null where wrong. */
function timeOf(text: string | undefined, daysLater: number): number | undefined | null {
  if (text === undefined) return undefined
  const [, year = '', month = '', date = '', rest = ''] = /^(\d{4})-(\d\d)-(\d\d)(.*)$/s.exec(text) ?? []
  if (!existsOn(Number(year), Number(month), Number(date)) || year === '') return null
  if (rest === '') return midnight(text, daysLater)
  const time = /^T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([-+ ])(\d\d):?(\d\d))$/i.exec(rest)
  if (time === null) return null
  const [hours = 0, minutes = 0, seconds = 0] = time.slice(1, 4).map(part => Number(part ?? 0))
  const milliseconds = Number((time[4] ?? '').padEnd(3, '0').slice(0, 3))
  const [offsetHours = 0, offsetMinutes = 0] = time.slice(6, 8).map(part => Number(part ?? 0))
  const isMidnight = hours === 24 && minutes === 0 && seconds === 0 && milliseconds === 0
  if ((hours > 23 && !isMidnight) || minutes > 59 || seconds > 59) return null
  if (offsetHours > 23 || offsetMinutes > 59) return null
  const offset = (time[5] === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * MINUTE
  // Unlike Date.UTC, this takes the first hundred years as they are.
  const start = new Date(0).setUTCFullYear(Number(year), Number(month) - 1, Number(date))
  return start + ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds - offset
}

function csvOf(rows: readonly Row[], interval: Interval): string {
  const header =
    interval === 'raw'
      ? 'code,at,spaces,open,status,quality'
      : 'code,from,min,max,mean,last,count,goodCount,goodMean'
  const lines = rows.map(row => header.split(',').map(name => cell(name, row[name])))
  return [header, ...lines.map(line => line.join(','))].map(line => `${line}\r\n`).join('')
}

/** A spreadsheet runs what begins with these signs, unless a ' stands before, and may count what has a digit. */
function cell(name: string, value: unknown): string {
  if (value === null) return ''
  if (typeof value !== 'string' || name === 'at' || name === 'from') return String(value)
  const text = /^[=+\-@]/.test(value) ? `'${value}` : value
  return /[",\r\n]|\d|^(true|false)$/i.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const iso = (at: number): string => new Date(at).toISOString()
const hundredths = (value: number): number => Math.round(value * 100) / 100
