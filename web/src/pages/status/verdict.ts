import { status } from '../../texts/en/status.ts'
import { text } from '../../texts/text.ts'
import type { Status } from './load-status.ts'

/** Two readings of the feed, which come every five minutes, and a little. */
const FEED_LATE_MS = 15 * 60_000

/** A fault as a sentence. It is bad if visitors cannot use something; otherwise it is a warning. */
export interface Fault {
  readonly level: 'bad' | 'warning'
  readonly words: string
}

const bad = (words: string): Fault => ({ level: 'bad', words })
const warning = (words: string): Fault => ({ level: 'warning', words })

/** The faults of the service and its data, worst first. */
export function faultsOf({ datasets, feed, now }: Status, isCounting: boolean): readonly Fault[] {
  const gone = datasets
    .filter(({ available }) => !available)
    .map(({ title }) => bad(text(status.unavailable, { title })))
  const late = datasets.flatMap(({ title, updateFrequency, updatedAt }) => {
    const rhythm = updatedAt === null ? undefined : rhythmOf(updateFrequency, Date.parse(updatedAt))
    return rhythm !== undefined && rhythm.nextBy < now ? [warning(text(status.late, { title }))] : []
  })
  const faults = [...gone, ...late, ...(isCounting ? feedFaults(feed, now) : [])]
  return faults.toSorted((one, other) => one.level.localeCompare(other.level))
}

/** The level of the worst fault. */
export const worstOf = ([worst]: readonly Fault[]): Fault['level'] | 'good' => worst?.level ?? 'good'

function feedFaults(feed: Status['feed'], now: number): readonly Fault[] {
  if (feed === undefined) return [bad(status.noCounts)]
  if (now - Date.parse(feed.observedAt) > FEED_LATE_MS) return [bad(status.stopped)]
  const { frozen = 0, implausible = 0, missing = 0 } = feed.counters
  const faulty = frozen + implausible + missing
  const count = Object.values(feed.counters).reduce((sum, each) => sum + each, 0)
  if (faulty === 0) return []
  return [(faulty === count ? bad : warning)(text(status.faulty, { faulty, count }))]
}

/** The codes of the EU's authority table "frequency" that name a period, in words, and the days until the next update. */
const FREQUENCIES: Readonly<Record<string, readonly [words: string, days: number]>> = {
  DAILY: [status.rhythms.daily, 1],
  WEEKLY: [status.rhythms.weekly, 7],
  BIWEEKLY: [status.rhythms.twoWeeks, 14],
  MONTHLY: [status.rhythms.monthly, 31],
  BIMONTHLY: [status.rhythms.twoMonths, 62],
  QUARTERLY: [status.rhythms.quarterly, 92],
  ANNUAL_2: [status.rhythms.halfYearly, 184],
  ANNUAL: [status.rhythms.yearly, 366],
}

const DAY_MS = 86_400_000

/** The rhythm for the code that an operator states, and by when its next update is expected; undefined for a code without a period. */
export function rhythmOf(code: string | null, updatedAt: number) {
  const known = FREQUENCIES[code ?? '']
  return known && { words: known[0], nextBy: updatedAt + known[1] * DAY_MS }
}
