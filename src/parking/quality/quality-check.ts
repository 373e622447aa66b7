import type { Reading } from '../../store/store.ts'
import type { LocalClock } from '../local-clock.ts'
import { createHabits } from './baseline.ts'
import { createLevel } from './outlier-filter.ts'
import { qualityOf, type Reason, type Verdict } from './quality.ts'
import { createReach } from './rate-of-change.ts'
import { createStanding } from './stuck-detector.ts'
import { THRESHOLDS } from './thresholds.ts'

const { step, capacity: tolerated } = THRESHOLDS

export interface JudgeOptions {
  readonly clock: LocalClock
  /** Whether a day (days since 1970 by the clock) is a bank holiday. */
  readonly isHoliday?: (day: number) => boolean
  /** The number of spaces there are; asked at each reading, since records change. */
  readonly capacity?: () => number | null | undefined
}

/** Judges the counts of one car park from its own past, reading by reading in the order of time. */
export interface Judge {
  /** Takes the next reading and judges it. One that is not later than the last changes nothing. */
  observe(reading: Reading): Verdict
}

/** The verdict on what was never listed. */
export const NOTHING_KNOWN: Verdict = {
  quality: 'missing',
  reason: 'never-listed',
  observedAt: null,
  changedAt: null,
  since: null,
}

/** Opens a judge that knows nothing yet. Its work for a reading and its memory are constant. */
export function createJudge({ clock, isHoliday, capacity }: JudgeOptions): Judge {
  const habits = createHabits(clock, isHoliday)
  const standing = createStanding(habits)
  /** The same for the run of wild counts. */
  const outage = createStanding(habits)
  const level = createLevel(createReach())
  let verdict = NOTHING_KNOWN
  /** The last count that was not wild, and the last step that was taken note of. */
  let count: number | undefined
  let countSince = 0
  let stepAt = 0
  /** The run of equal wild counts that the last reading belongs to. */
  let wild: number | undefined
  let wildSince = 0
  let wildStepAt = 0

  function stepTo(at: number, spaces: number, learnable: boolean): void {
    const elapsed = at - stepAt
    const moved = spaces !== count
    if (moved && elapsed > step.unseenMs) standing.reset()
    else if (moved) standing.move(at, count === 0, learnable && elapsed <= step.learnedMs)
    else if (elapsed >= step.leastMs)
      standing.stand(stepAt, at, count === 0, learnable && elapsed <= step.learnedMs)
    if (moved || elapsed >= step.leastMs) stepAt = at
  }

  function takeCount(at: number, spaces: number, jumped: boolean): void {
    if (count === undefined) stepAt = at
    else stepTo(at, spaces, !jumped)
    if (spaces !== count) countSince = spaces === wild ? wildSince : at
    count = spaces
    endWild()
  }

  function takeWild(at: number, spaces: number): void {
    if (spaces !== wild) {
      endWild()
      wild = spaces
      wildSince = at
      wildStepAt = at
    } else if (at - wildStepAt >= step.leastMs) {
      // A wild count that stands is a counter that stands; that it is 0 is no excuse.
      outage.stand(wildStepAt, at, false, false)
      wildStepAt = at
    }
  }

  function endWild(): void {
    wild = undefined
    outage.reset()
  }

  function closed(at: number, spaces: number): Reason {
    standing.reset()
    level.forget()
    endWild()
    if (spaces !== count) countSince = at
    count = spaces
    stepAt = at
    return 'feed-says-closed'
  }

  function judge({ at, spaces, open }: Reading): Reason {
    if (open === false) return closed(at, spaces)
    const most = capacity?.()
    const over =
      most != null && spaces > most + Math.max(tolerated.toleratedSpaces, most * tolerated.toleratedShare)
    const impossible = !Number.isInteger(spaces) || spaces < 0
    const zeroIsUsual = spaces === 0 && habits.zeroIsUsual(habits.slotAt(at))
    const taken = impossible || over ? 'doubtful' : level.take(at, spaces, zeroIsUsual)
    if (taken === 'doubtful') takeWild(at, spaces)
    else takeCount(at, spaces, taken === 'confirmed')
    if (standing.frozen || outage.frozen) return 'standing-still'
    if (impossible) return 'impossible-count'
    if (over) return 'above-capacity'
    return taken === 'doubtful' ? 'impossible-jump' : 'nothing-suspicious'
  }

  return {
    observe(reading) {
      const { at } = reading
      if (verdict.observedAt !== null && at <= verdict.observedAt) return verdict
      const reason = judge(reading)
      const quality = qualityOf(reason)
      const same = reason === verdict.reason ? verdict.since : at
      const changedAt = wild === undefined ? countSince : wildSince
      const since = quality === 'frozen' ? ((standing.frozen ? standing.since : outage.since) ?? same) : same
      verdict = { quality, reason, observedAt: at, changedAt, since }
      return verdict
    },
  }
}
