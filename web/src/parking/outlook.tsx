import { type Freshness, isGone } from '../live/freshness.ts'
import { clockTime } from '../words/island-time.ts'
import type { Row } from './row.ts'

interface OutlookProps {
  readonly row: Row
  readonly freshness: Freshness
}

const TRENDS = {
  filling: { arrow: '↓', text: 'Filling' },
  emptying: { arrow: '↑', text: 'Emptying' },
  steady: { arrow: '→', text: 'Steady' },
}

/** Where a count goes: how it has moved, and what is expected in an hour. */
export function Outlook({ row, freshness }: OutlookProps) {
  if (row.count.quality !== 'good' || isGone(freshness)) return null
  const { count, expected } = row
  const trend = count.trend && TRENDS[count.trend]
  const isOld = freshness.state === 'old'
  return (
    <>
      {trend && !isOld && (
        <p class={`trend ${count.trend}`}>
          <span aria-hidden="true">{trend.arrow}</span> {trend.text} over the last half hour
        </p>
      )}
      <p class={isOld ? 'expected old' : 'expected'}>
        {isOld && expected !== null ? `At ${clockTime(expected.at)}` : 'In an hour'}:{' '}
        {expected === null ? (
          <span class="unknown">not known</span>
        ) : (
          <>
            about <strong>{expected.expected}</strong>{' '}
            <span class="muted">
              ({expected.low} to {expected.high})
            </span>
          </>
        )}
      </p>
    </>
  )
}
