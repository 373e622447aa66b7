import { type Freshness, isGone } from '../live/freshness.ts'
import { counts } from '../texts/en/counts.ts'
import { muted, rich, strong, text } from '../texts/rich.tsx'
import { clockTime } from '../words/island-time.ts'
import type { Expected, Row } from './row.ts'

interface OutlookProps {
  readonly row: Row
  readonly freshness: Freshness
}

const TRENDS = {
  filling: { arrow: '↓', words: counts.filling },
  emptying: { arrow: '↑', words: counts.emptying },
  steady: { arrow: '→', words: counts.steady },
}

/** The chance of at least ten spaces, in tenths: no forecast is surer. */
export const tenthsOf = ({ chanceOfTen }: Pick<Expected, 'chanceOfTen'>) => Math.round(chanceOfTen * 10)

/** How a count has moved, the forecast from it, and the chance of a space. */
export function Outlook({ row, freshness }: OutlookProps) {
  if (row.count.quality !== 'good' || isGone(freshness)) return null
  const { count, expected } = row
  const trend = count.trend && TRENDS[count.trend]
  const isOld = freshness.state === 'old'
  return (
    <>
      {trend && !isOld && (
        <p class={`trend ${count.trend}`}>
          <span aria-hidden="true">{trend.arrow}</span> {trend.words}
        </p>
      )}
      <p class={isOld ? 'expected old' : 'expected'}>
        {expected === null
          ? rich(counts.notExpected, { unknown: words => <span class="unknown">{words}</span> })
          : rich(counts.expected, {
              ...{ time: clockTime(expected.at), wait: isOld ? 'over' : expected.minutesAhead },
              ...{ spaces: expected.expected, low: expected.low, high: expected.high },
              strong,
              range: muted,
            })}
      </p>
      {expected !== null && (
        <p class={isOld ? 'chance old' : 'chance'}>
          {text(counts.chance, { time: clockTime(expected.at), tenths: tenthsOf(expected) })}
        </p>
      )}
    </>
  )
}
