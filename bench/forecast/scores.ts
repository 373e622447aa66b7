/** A moment with three chances of enough spaces, and whether there were enough. */
export interface ChanceMoment {
  readonly average: number
  /** The chance that the interval of the forecast implies. */
  readonly interval: number
  readonly ours: number
  readonly came: boolean
  /** What our chance is computed from. */
  readonly inputs: readonly number[]
}

/** One moment and time ahead: the expected spaces of each forecast, and the real spaces. */
export interface Outcome {
  readonly now: number
  readonly came: number
  readonly plain: number
  readonly ours: { expected: number; low: number; high: number } | string
  /** Undefined without a forecast, or without an average. */
  readonly chance: ChanceMoment | undefined
}

/** Sums over the outcomes of one or more car parks, for one time ahead. */
export interface Score {
  /** All moments. */
  moments: number
  now: number
  plain: number
  /** Our forecast, or the plain profile if we give no forecast. */
  oursOrPlain: number
  /** Moments with our forecast. */
  given: number
  givenNow: number
  givenPlain: number
  ours: number
  within: number
  width: number
  /** Moments without our forecast, by reason. */
  readonly withheld: Map<string, number>
  readonly chances: ChanceMoment[]
}

/** A score without outcomes. */
export const emptyScore = (): Score => ({
  moments: 0,
  now: 0,
  plain: 0,
  oursOrPlain: 0,
  given: 0,
  givenNow: 0,
  givenPlain: 0,
  ours: 0,
  within: 0,
  width: 0,
  withheld: new Map(),
  chances: [],
})

/** Adds an outcome to a score. */
export function addOutcome(score: Score, { now, came, plain, ours, chance }: Outcome): void {
  const [asNow, byPlain] = [Math.abs(came - now), Math.abs(came - plain)]
  score.moments++
  if (chance !== undefined) score.chances.push(chance)
  score.now += asNow
  score.plain += byPlain
  if (typeof ours === 'string') {
    score.oursOrPlain += byPlain
    score.withheld.set(ours, (score.withheld.get(ours) ?? 0) + 1)
    return
  }
  const byOurs = Math.abs(came - ours.expected)
  score.oursOrPlain += byOurs
  score.given++
  score.givenNow += asNow
  score.givenPlain += byPlain
  score.ours += byOurs
  if (came >= ours.low && came <= ours.high) score.within++
  score.width += ours.high - ours.low
}

/** Adds up scores. */
export function sumScores(scores: readonly Score[]): Score {
  const sum = emptyScore()
  for (const { withheld, chances, ...numbers } of scores) {
    for (const [key, number] of Object.entries(numbers)) sum[key as keyof typeof numbers] += number
    sum.chances.push(...chances)
    for (const [reason, count] of withheld) sum.withheld.set(reason, (sum.withheld.get(reason) ?? 0) + count)
  }
  return sum
}
