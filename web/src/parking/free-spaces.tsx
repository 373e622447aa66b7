import { type Freshness, isGone } from '../live/freshness.ts'
import { clockTime } from '../words/island-time.ts'
import type { Row } from './row.ts'

interface FreeSpacesProps {
  readonly row: Row
  readonly freshness: Freshness
  /** When it was counted. */
  readonly at: string
}

/** The number of free spaces, or a word in its place: no number is shown for a count that cannot be trusted. */
export function FreeSpaces({ row: { count, carPark }, freshness, at }: FreeSpacesProps) {
  const { spaces, quality } = count
  if (quality === 'closed') return <p class="free closed">closed</p>
  if (spaces === null) return <p class="free unknown">no count now</p>
  if (quality !== 'good' || isGone(freshness)) return <p class="free unknown">not known</p>
  const isOld = freshness.state === 'old'
  return (
    <p class={isOld ? 'free count old' : 'free count'}>
      <strong>{spaces}</strong>{' '}
      <span class="label">
        free
        {carPark !== null && ` of ${carPark.spaces}`}
        {isOld && ` at ${clockTime(at)}`}
      </span>
    </p>
  )
}

/** The share of free spaces as a bar; it says nothing that the number does not. */
export function FreeBar({ row: { count, carPark }, freshness }: Omit<FreeSpacesProps, 'at'>) {
  const { spaces, quality } = count
  if (spaces === null || quality !== 'good' || isGone(freshness) || !carPark?.spaces) return null
  const percent = Math.min(100, Math.round((spaces / carPark.spaces) * 100))
  return (
    <svg
      class={freshness.state === 'old' ? 'bar-of-free old' : 'bar-of-free'}
      viewBox="0 0 100 4"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect class="all" width="100" height="4" />
      <rect class="of" width={percent} height="4" />
    </svg>
  )
}
