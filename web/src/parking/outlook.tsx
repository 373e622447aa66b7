import { type Freshness, isGone } from '../live/freshness.ts'
import { counts } from '../texts/en/counts.ts'
import { muted, rich, strong } from '../texts/rich.tsx'
import { clockTime } from '../words/island-time.ts'
import type { Row } from './row.ts'

interface OutlookProps {
  readonly row: Row
  readonly freshness: Freshness
}

const TRENDS = {
  filling: { arrow: '↓', words: counts.filling },
  emptying: { arrow: '↑', words: counts.emptying },
  steady: { arrow: '→', words: counts.steady },
}

/** How a count has moved, and the forecast for an hour from it. */
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
              time: isOld ? clockTime(expected.at) : 'none',
              ...{ spaces: expected.expected, low: expected.low, high: expected.high },
              strong,
              range: muted,
            })}
      </p>
    </>
  )
}
