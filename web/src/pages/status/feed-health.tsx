import { to } from '../../address.ts'
import { ageInWords, timeInWords } from '../../words/relative-time.ts'
import type { FeedStatus } from './load-status.ts'

/** What each quality says of a counter, worst last. */
const QUALITIES: Readonly<Record<string, string>> = {
  good: 'counting well',
  closed: 'closed, as the feed says',
  stale: 'without a new count for a quarter of an hour',
  implausible: 'giving numbers that cannot be right',
  frozen: 'apparently stuck',
  missing: 'missing from the feed',
  unknown: 'not checked yet, as the service has just started',
}

interface FeedHealthProps {
  readonly feed: FeedStatus | undefined
  readonly now: number
  readonly isCounting: boolean
}

/** How the live counts of the car parks are. */
export function FeedHealth({ feed, now, isCounting }: FeedHealthProps) {
  if (!isCounting) return <p>This service has no live feed, so the spaces of car parks are not counted.</p>
  if (feed === undefined) return <p class="notice">The live feed has given no counts yet.</p>
  const observed = Date.parse(feed.observedAt)
  const counted = Object.entries(QUALITIES).flatMap(([quality, words]) => {
    const count = feed.counters[quality] ?? 0
    return count === 0 ? [] : [{ quality, words, count }]
  })
  return (
    <>
      <p>
        Last reading {timeInWords(observed, now)}{' '}
        <span class="muted">({ageInWords((now - observed) / 1000)})</span>. Of the counters:
      </p>
      <ul class="status-counters">
        {counted.map(({ quality, words, count }) => (
          <li key={quality} class={quality === 'good' ? 'status-good' : undefined}>
            <strong>{count}</strong> {words} <span class="muted">({quality})</span>
          </li>
        ))}
      </ul>
      <p>
        <a href={to('/parking')}>Each car park</a> ·{' '}
        <a href={to('/docs/explanation/live-parking')}>How counts are checked</a>
      </p>
    </>
  )
}
