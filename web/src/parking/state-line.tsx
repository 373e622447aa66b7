import { to } from '../address.ts'
import type { Freshness } from '../live/freshness.ts'
import { counts } from '../texts/en/counts.ts'
import { anchor, rich, text } from '../texts/rich.tsx'
import { clockTime } from '../words/island-time.ts'

interface StateLineProps {
  readonly freshness: Freshness
  /** The path that loads the page again. */
  readonly path: string
  readonly retry: () => void
}

/** Says whether the counts are kept current. Screen readers announce the line, so it changes only for news. */
export function StateLine({ freshness, path, retry }: StateLineProps) {
  const isOld = freshness.state === 'old'
  return (
    <div class={isOld ? 'notice state' : 'state no-print'}>
      <p id="state" role="status">
        {freshness.state === 'unscripted' && rich(counts.notUpdating, { link: anchor(to(path)) })}
        {freshness.state === 'current' && counts.updating}
        {isOld && text(counts.old, { time: clockTime(freshness.since) })}
      </p>
      {isOld && (
        <button type="button" class="plain" onClick={retry}>
          {counts.retry}
        </button>
      )}
    </div>
  )
}
