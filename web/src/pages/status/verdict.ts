import { rhythmOf } from './frequency.ts'
import type { Status } from './load-status.ts'

/** Two readings of the feed, which come every five minutes, and a little. */
const FEED_LATE_MS = 15 * 60_000

/** What is wrong, a sentence each; nothing if all is well. */
export function faultsOf({ datasets, feed, now }: Status, isCounting: boolean): readonly string[] {
  const gone = datasets.filter(({ available }) => !available).map(({ title }) => `${title} cannot be had.`)
  const late = datasets.flatMap(({ title, updateFrequency, updatedAt }) => {
    const rhythm = updatedAt === null ? undefined : rhythmOf(updateFrequency, Date.parse(updatedAt))
    return rhythm !== undefined && rhythm.nextBy < now ? [`The update of ${title} is late.`] : []
  })
  return [...gone, ...late, ...(isCounting ? feedFaults(feed, now) : [])]
}

function feedFaults(feed: Status['feed'], now: number): readonly string[] {
  if (feed === undefined) return ['The live feed has given no counts yet.']
  if (now - Date.parse(feed.observedAt) > FEED_LATE_MS)
    return ['The live feed has stopped: the counts of the car parks are old.']
  const { frozen = 0, implausible = 0, missing = 0 } = feed.counters
  const wrong = frozen + implausible + missing
  if (wrong === 0) return []
  return [
    wrong === 1
      ? 'The count of one car park cannot be trusted now.'
      : `The counts of ${wrong} car parks cannot be trusted now.`,
  ]
}
