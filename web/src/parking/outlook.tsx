import { type Freshness, isGone } from '../live/freshness.ts'
import { clockTime } from '../words/island-time.ts'
import type { Row } from './row.ts'
import { trendOf } from './trend.ts'

interface OutlookProps {
  readonly row: Row
  readonly freshness: Freshness
}

const ARROWS = { filling: '↓', emptying: '↑', steady: '→' }

/** Where a count goes: how it has moved, and what is expected in an hour. */
export function Outlook({ row, freshness }: OutlookProps) {
  if (row.count.quality !== 'good' || isGone(freshness)) return null
  const trend = trendOf(row)
  const { expected } = row
  const isOld = freshness.state === 'old'
  return (
    <>
      {trend !== undefined && !isOld && (
        <p class={`trend ${trend.direction}`}>
          <span aria-hidden="true">{ARROWS[trend.direction]}</span> {trend.text}
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
