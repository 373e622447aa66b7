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

/** The share of free spaces as a bar, and words for a car park that is nearly full. */
export function FreeBar({ row: { count, carPark }, freshness }: Omit<FreeSpacesProps, 'at'>) {
  const { spaces, quality } = count
  if (spaces === null || quality !== 'good' || isGone(freshness) || !carPark?.spaces) return null
  const percent = Math.min(100, (spaces / carPark.spaces) * 100)
  const level = freshness.state === 'old' ? 'old' : levelOf(percent)
  return (
    <>
      <svg class={`bar-of-free ${level}`} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect class="all" width="100" height="4" />
        <rect class="of" width={Math.round(percent)} height="4" />
      </svg>
      {(level === 'few' || level === 'hardly-any') && (
        <p class={`level ${level}`}>{wordsFor(percent, level)}</p>
      )}
    </>
  )
}

/** Shares of free spaces, in percent, below which few or hardly any spaces are left. */
const FEW = 10
const HARDLY_ANY = 3

const levelOf = (percent: number) => (percent < HARDLY_ANY ? 'hardly-any' : percent < FEW ? 'few' : 'room')

const wordsFor = (percent: number, level: 'few' | 'hardly-any') =>
  percent === 0 ? counts.full : level === 'few' ? counts.nearlyFull : counts.almostFull
