/** The codes of the EU's authority table "frequency" that name a period: what they mean, and the days until the next update. */
const FREQUENCIES: Readonly<Record<string, readonly [words: string, days: number]>> = {
  DAILY: ['every day', 1],
  WEEKLY: ['every week', 7],
  BIWEEKLY: ['every two weeks', 14],
  MONTHLY: ['every month', 31],
  BIMONTHLY: ['every two months', 62],
  QUARTERLY: ['every three months', 92],
  ANNUAL_2: ['twice a year', 184],
  ANNUAL: ['every year', 366],
}

const DAY_MS = 86_400_000

/** When a dataset is updated. */
export interface Rhythm {
  readonly words: string
  /** By when the next update is expected, in milliseconds since 1970. */
  readonly nextBy: number
}

/** The rhythm of a dataset by the code that its operator states; undefined where it names no period. */
export function rhythmOf(code: string | null, updatedAt: number): Rhythm | undefined {
  const known = FREQUENCIES[code ?? '']
  return known && { words: known[0], nextBy: updatedAt + known[1] * DAY_MS }
}
