import { status as texts } from '../../texts/en/status.ts'
import { link, muted, rich } from '../../texts/rich.tsx'
import { ageInWords, timeInWords } from '../../words/relative-time.ts'
import type { FeedStatus } from './load-status.ts'

/** The words for each quality of a counter, worst last. */
const QUALITIES: Readonly<Record<string, string>> = texts.qualities

interface FeedHealthProps {
  readonly feed: FeedStatus | undefined
  readonly now: number
  readonly isCounting: boolean
}

/** The state of the live counts of the car parks. */
export function FeedHealth({ feed, now, isCounting }: FeedHealthProps) {
  if (!isCounting) return <p>{texts.noFeed}</p>
  if (feed === undefined) return <p class="notice">{texts.noCounts}</p>
  const observed = Date.parse(feed.observedAt)
  const counted = Object.entries(QUALITIES).filter(([quality]) => feed.counters[quality])
  return (
    <>
      <p>
        {rich(texts.reading, {
          ...{ time: timeInWords(observed, now), age: ageInWords((now - observed) / 1000) },
          muted,
        })}
      </p>
      <ul class="status-counters">
        {counted.map(([quality, words]) => (
          <li key={quality} class={quality === 'good' ? 'status-good' : undefined}>
            <strong>{feed.counters[quality]}</strong> {words} <span class="muted">({quality})</span>
          </li>
        ))}
      </ul>
      <p>{rich(texts.more, { parking: link('/parking'), docs: link('/docs/explanation/live-parking') })}</p>
    </>
  )
}
