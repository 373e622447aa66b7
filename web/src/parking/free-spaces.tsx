import { type Freshness, isGone } from '../live/freshness.ts'
import { counts } from '../texts/en/counts.ts'
import { rich, strong } from '../texts/rich.tsx'
import { clockTime } from '../words/island-time.ts'
import type { Row } from './row.ts'

interface FreeSpacesProps {
  readonly row: Row
  readonly freshness: Freshness
  /** When the spaces were counted. */
  readonly at: string
}

/** The number of free spaces, or words in its place: the page shows no number that cannot be trusted. */
export function FreeSpaces({ row: { count, carPark }, freshness, at }: FreeSpacesProps) {
  const { spaces, quality } = count
  if (quality === 'closed') return <p class="free closed">{counts.closed}</p>
  if (spaces === null) return <p class="free unknown">{counts.noCount}</p>
  if (quality !== 'good' || isGone(freshness)) return <p class="free unknown">{counts.notKnown}</p>
  const isOld = freshness.state === 'old'
  return (
    <p class={isOld ? 'free count old' : 'free count'}>
      {rich(counts.free, {
        ...{ spaces, all: carPark?.spaces ?? 'none', time: isOld ? clockTime(at) : 'now' },
        strong,
        label: words => <span class="label">{words}</span>,
      })}
    </p>
  )
}

const FULL = { name: 'hardly-any', words: counts.full }

/** Levels of free spaces, by the lowest share in percent. */
const LEVELS = [
  { from: 10, name: 'room', words: undefined },
  { from: 3, name: 'few', words: counts.nearlyFull },
  { from: Number.MIN_VALUE, name: 'hardly-any', words: counts.almostFull },
]

/** The share of free spaces as a bar, and words for a car park that is nearly full. */
export function FreeBar({ row: { count, carPark }, freshness }: Omit<FreeSpacesProps, 'at'>) {
  const { spaces, quality } = count
  if (spaces === null || quality !== 'good' || isGone(freshness) || !carPark?.spaces) return null
  const percent = Math.min(100, (spaces / carPark.spaces) * 100)
  const { name, words } = LEVELS.find(({ from }) => percent >= from) ?? FULL
  const isOld = freshness.state === 'old'
  return (
    <>
      <svg
        class={`bar-of-free ${isOld ? 'old' : name}`}
        viewBox="0 0 100 4"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <rect class="all" width="100" height="4" />
        <rect class="of" width={Math.round(percent)} height="4" />
      </svg>
      {words !== undefined && !isOld && <p class={`level ${name}`}>{words}</p>}
    </>
  )
}
