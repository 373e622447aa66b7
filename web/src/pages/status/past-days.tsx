import type { components } from '../../../../client/src/schema.ts'
import type { GetJson } from '../../../../src/interfaces/web/explorer.ts'
import { orNull } from '../../parking/attempt.ts'
import { status as texts } from '../../texts/en/status.ts'
import { link, rich, text } from '../../texts/rich.tsx'

const HISTORY = '/v1/carparks/live-spaces/history?interval=1d'
const DAYS = 30

/** The share of a day's readings from which the day counts as good, and as partly good. */
const GOOD = 0.95
const PARTLY = 0.5

type Day = 'good' | 'partly' | 'bad' | 'none'

/** The last full days of the feed and of each counter, oldest first. */
export type PastDays = readonly { readonly name: string; readonly days: readonly Day[] }[]

/** Gets the last full days; none without a live feed. `names` has the names of the car parks by their codes. */
export async function loadPastDays(get: GetJson, names: Readonly<Record<string, string>>): Promise<PastDays> {
  const answer = await orNull(get<{ results: readonly components['schemas']['HistoryBucket'][] }>(HISTORY))
  if (answer === null) return []
  // The last one is today, which has not ended.
  const daysOf = (code: string) => answer.results.filter(each => each.code === code).slice(-DAYS - 1, -1)
  const counters = Object.entries(names).filter(([code]) => daysOf(code).length > 0)
  if (counters.length === 0) return []
  const counts = counters.map(([code]) => daysOf(code).map(({ count }) => count))
  const readings = (counts[0] ?? []).map((_, day) => Math.max(...counts.map(of => of[day] ?? 0)))
  const most = Math.max(...readings)
  const first = readings.findIndex(count => count > 0)
  return [
    { name: texts.feed, days: readings.map((count, day) => (day < first ? 'none' : dayOf(count, most))) },
    ...counters.map(([code, name]) => ({
      name,
      days: daysOf(code).map(({ count, goodCount }) => (count === 0 ? 'none' : dayOf(goodCount ?? 0, count))),
    })),
  ]
}

function dayOf(good: number, all: number): Day {
  if (all === 0) return 'none'
  const share = good / all
  return share >= GOOD ? 'good' : share >= PARTLY ? 'partly' : 'bad'
}

/** The bars of the last full days, each row with its words. */
export function PastDaysBars({ past }: { readonly past: PastDays }) {
  if (past.length === 0) return null
  return (
    <>
      <h3>{texts.pastDays}</h3>
      <p class="facts">{texts.pastDaysDetail}</p>
      <ul class="status-days">
        {past.map(({ name, days }) => (
          <li key={name}>
            <strong>{name}</strong> <span class="facts">{wordsFor(days)}</span>
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
      <p>{rich(texts.pastDaysAsData, { link: link(HISTORY) })}</p>
    </>
  )
}

/** How far a bar begins below the top: not by colour alone. */
const HEIGHTS = { good: 0, partly: 7, bad: 13, none: 18 }

function wordsFor(days: readonly Day[]): string {
  const count = (wanted: Day) => days.filter(day => day === wanted).length
  const [good, partly, bad, none] = [count('good'), count('partly'), count('bad'), count('none')]
  return text(texts.workedOn, { good, partly, bad, none })
}
