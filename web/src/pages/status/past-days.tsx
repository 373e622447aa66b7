import type { components } from '../../../../client/src/schema.ts'
import type { GetJson } from '../../../../src/interfaces/web/explorer.ts'
import { orNull } from '../../parts/attempt.ts'
import { status as texts } from '../../texts/en/status.ts'
import { link, rich, text } from '../../texts/rich.tsx'
import { isoDate } from '../../words/island-time.ts'
import type { DatasetStatus } from './load-status.ts'

/** The address of the counters' days as data. */
export const HISTORY = '/v1/carparks/live-spaces/history?interval=1d'
const DAYS = 30
const DAY_MS = 86_400_000

/** The share of a day's readings from which the day counts as good, and as partly good. */
const GOOD = 0.95
const PARTLY = 0.5

type Day = 'good' | 'partly' | 'bad' | 'none'

/** The last full days of the feed and of each counter, oldest first. */
export type PastDays = readonly { readonly name: string; readonly days: readonly Day[] }[]

type Bucket = components['schemas']['HistoryBucket']

/** Gets the last full days; none without a live feed. `names` has the names of the car parks by their codes. */
export async function loadPastDays(get: GetJson, names: Readonly<Record<string, string>>): Promise<PastDays> {
  const answer = await orNull(get<{ results: readonly Bucket[] }>(HISTORY))
  // The last one is today, which has not ended.
  const daysOf = (code: string) =>
    (answer?.results ?? []).filter(each => each.code === code).slice(-DAYS - 1, -1)
  const counters = Object.entries(names).map(([code, name]) => ({ code, name, days: daysOf(code) }))
  const [fullest] = counters.toSorted((one, other) => readingsOf(other.days) - readingsOf(one.days))
  if (fullest === undefined || fullest.days.length === 0) return []
  return [
    { name: texts.feed, days: await loadFeedDays(get, fullest) },
    ...counters.map(({ name, days }) => ({
      name,
      days: days.map(({ count, goodCount }): Day => (count === 0 ? 'none' : dayOf((goodCount ?? 0) / count))),
    })),
  ]
}

const readingsOf = (days: readonly Bucket[]) => days.reduce((sum, { count }) => sum + count, 0)

/**
 * Judges the feed's days by their hours with a reading, for the counter with the most readings. Counting readings would be wrong:
 * an imported history may have another rhythm.
 */
async function loadFeedDays(
  get: GetJson,
  { code, days }: { readonly code: string; readonly days: readonly Bucket[] },
): Promise<readonly Day[]> {
  const dates = days.map(({ from }) => isoDate(from))
  const path = `/v1/carparks/${encodeURIComponent(code)}/history?interval=1h&from=${dates[0]}`
  const answer = await orNull(get<{ results: readonly Pick<Bucket, 'from' | 'count'>[] }>(path))
  const hours = (answer?.results ?? []).map(({ from, count }) => ({ date: isoDate(from), count }))
  const first = hours.find(({ count }) => count > 0)?.date ?? dates.at(-1) ?? ''
  return dates.map(date => {
    const ofDay = hours.filter(hour => hour.date === date)
    return date < first ? 'none' : dayOf(ofDay.filter(({ count }) => count > 0).length / ofDay.length)
  })
}

const dayOf = (share: number): Day => (share >= GOOD ? 'good' : share >= PARTLY ? 'partly' : 'bad')

/** The last full days of each followed source. No day is bad, because a failed check leaves the published data as it is. */
export const sourceDays = (datasets: readonly DatasetStatus[], now: number): PastDays =>
  datasets
    .map(({ title, checks }) => ({
      name: title,
      days: Array.from({ length: DAYS }, (_, index): Day => {
        const date = new Date(now - (DAYS - index) * DAY_MS).toISOString().slice(0, 10)
        const day = checks.find(each => each.date === date)
        return day === undefined ? 'none' : day.failed === 0 ? 'good' : 'partly'
      }),
    }))
    .filter(({ days }) => days.some(day => day !== 'none'))

interface PastDaysBarsProps {
  readonly past: PastDays
  /** The texts about these days: of the counts or of the sources. */
  readonly of: typeof texts.countDays | typeof texts.sourceDays
  /** The path of the same days as data. */
  readonly data: string
}

/** The bars of the last full days, each row with its words. */
export function PastDaysBars({ past, of, data }: PastDaysBarsProps) {
  if (past.length === 0) return null
  return (
    <>
      <h3>{of.title}</h3>
      <p class="facts">{of.detail}</p>
      <ul class="status-days">
        {past.map(({ name, days }) => (
          <li key={name}>
            <strong>{name}</strong> <span class="facts">{text(of.words, numbersOf(days))}</span>
            <svg viewBox={`0 0 ${DAYS * 10} 20`} preserveAspectRatio="none" aria-hidden="true">
              {days.map((day, index) => (
                <rect
                  key={index}
                  class={`day-${day}`}
                  x={(DAYS - days.length + index) * 10 + 1}
                  y={HEIGHTS[day]}
                  width="8"
                  height={20 - HEIGHTS[day]}
                />
              ))}
            </svg>
          </li>
        ))}
      </ul>
      <p>{rich(texts.daysAsData, { link: link(data) })}</p>
    </>
  )
}

/** How far a bar begins below the top, so that its height tells its day as well as its colour. */
const HEIGHTS = { good: 0, partly: 7, bad: 13, none: 18 }

function numbersOf(days: readonly Day[]) {
  const count = (wanted: Day) => days.filter(day => day === wanted).length
  return { good: count('good'), partly: count('partly'), bad: count('bad'), none: count('none') }
}
