import { to } from '../address.ts'
import type { Freshness } from '../live/freshness.ts'
import { clockTime } from '../words/island-time.ts'

interface StateLineProps {
  readonly freshness: Freshness
  /** Where the page is loaded again. */
  readonly path: string
  readonly retry: () => void
}

/** Says whether the counts are kept current. Screen readers announce it, so it changes only when there is something new to say. */
export function StateLine({ freshness, path, retry }: StateLineProps) {
  const isOld = freshness.state === 'old'
  return (
    <div class={isOld ? 'notice state' : 'state no-print'}>
      <p id="state" role="status">
        {freshness.state === 'unscripted' && (
          <>
            This page does not update by itself: <a href={to(path)}>load the newest counts</a>.
          </>
        )}
        {freshness.state === 'current' && 'This page updates by itself.'}
        {isOld &&
          `Not updated since ${clockTime(freshness.since)}: this device is offline, or the service does not respond. The spaces may have changed. The page tries again every minute.`}
      </p>
      {isOld && (
        <button type="button" class="plain" onClick={retry}>
          Try again now
        </button>
      )}
    </div>
  )
}
