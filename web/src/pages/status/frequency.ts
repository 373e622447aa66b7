import { status } from '../../texts/en/status.ts'

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

/** The rhythm of a dataset's updates. */
export interface Rhythm {
  readonly words: string
  /** By when the next update is expected, in milliseconds since 1970. */
  readonly nextBy: number
}

/** The rhythm for the code that an operator states, or undefined for a code without a period. */
export function rhythmOf(code: string | null, updatedAt: number): Rhythm | undefined {
  const known = FREQUENCIES[code ?? '']
  return known && { words: known[0], nextBy: updatedAt + known[1] * DAY_MS }
}
