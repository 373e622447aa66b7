import type { Reading } from '../../store/store.ts'
import type { LocalClock } from '../local-clock.ts'
import { createBaseline } from './baseline.ts'
import { createOutlierFilter } from './outlier-filter.ts'
import { type Assessment, because, type Reason } from './quality.ts'
import { createStuckDetector } from './stuck-detector.ts'
import { THRESHOLDS } from './thresholds.ts'

const { step, capacity: tolerated } = THRESHOLDS

/** The assessment of a car park that was never listed. */
export const NEVER_LISTED: Assessment = {
  ...because('never-listed'),
  observedAt: null,
  changedAt: null,
  since: null,
}

/** Checks the counts of one car park against its own past. */
export type QualityCheck = ReturnType<typeof createQualityCheck>

/**
 * Creates a check without any past. Its work for a reading and its memory are constant. `capacity` returns the number of
 * spaces of the car park; it is called at each reading, since records change.
 */
export function createQualityCheck(
  clock: LocalClock,
  capacity: () => number | null | undefined = () => null,
) {
  const baseline = createBaseline(clock)
  const detector = createStuckDetector(baseline)
  /** The same for the run of outliers. */
  const outlierDetector = createStuckDetector(baseline)
  const filter = createOutlierFilter()
  let assessment = NEVER_LISTED
  /** The last count that was not an outlier, and the time of the last step. */
  let count: number | undefined
  let countSince = 0
  let stepAt = 0
  /** The run of equal outliers that the last reading belongs to. */
  let outlier: number | undefined
  let outlierSince = 0
  let outlierStepAt = 0

  function stepTo(at: number, spaces: number, learnable: boolean): void {
    const elapsed = at - stepAt
    const changed = spaces !== count
    const learned = learnable && elapsed <= step.learnedMs
    if (changed && elapsed > step.unseenMs) detector.reset()
    else if (changed) detector.changed(at, count === 0, learned)
    else if (elapsed >= step.leastMs) detector.unchanged(stepAt, at, count === 0, learned)
    if (changed || elapsed >= step.leastMs) stepAt = at
  }

  function takeCount(at: number, spaces: number, jumped: boolean): void {
    if (count === undefined) stepAt = at
    else stepTo(at, spaces, !jumped)
    if (spaces !== count) countSince = spaces === outlier ? outlierSince : at
    count = spaces
    endOutliers()
  }

  function takeOutlier(at: number, spaces: number): void {
    if (spaces !== outlier) {
      endOutliers()
      outlier = spaces
      outlierSince = at
      outlierStepAt = at
    } else if (at - outlierStepAt >= step.leastMs) {
      // An outlier that stays is a stuck sensor as well, even at 0.
      outlierDetector.unchanged(outlierStepAt, at, false, false)
      outlierStepAt = at
    }
  }

  function endOutliers(): void {
    outlier = undefined
    outlierDetector.reset()
  }

  function closed(at: number, spaces: number): Reason {
    detector.reset()
    filter.reset()
    endOutliers()
    if (spaces !== count) countSince = at
    count = spaces
    stepAt = at
    return 'feed-says-closed'
  }

  function check({ at, spaces, open }: Reading): Reason {
    if (open === false) return closed(at, spaces)
    const most = capacity()
    const over =
      most != null && spaces > most + Math.max(tolerated.toleratedSpaces, most * tolerated.toleratedShare)
    const impossible = !Number.isInteger(spaces) || spaces < 0
    const zeroIsUsual = spaces === 0 && baseline.zeroIsUsual(baseline.slotAt(at))
    const result = impossible || over ? 'outlier' : filter.take(at, spaces, zeroIsUsual)
    if (result === 'outlier') takeOutlier(at, spaces)
    else takeCount(at, spaces, result === 'confirmed')
    if (detector.stuck || outlierDetector.stuck) return 'standing-still'
    if (impossible) return 'impossible-count'
    if (over) return 'above-capacity'
    return result === 'outlier' ? 'impossible-jump' : 'nothing-suspicious'
  }

  return {
    /** Takes the next reading, in the order of time, and returns its assessment. A late one changes nothing. */
    observe(reading: Reading): Assessment {
      const { at } = reading
      if (assessment.observedAt !== null && at <= assessment.observedAt) return assessment
      const reason = check(reading)
      const same = reason === assessment.reason ? assessment.since : at
      const changedAt = outlier === undefined ? countSince : outlierSince
      const stuckSince = detector.stuck ? detector.since : outlierDetector.since
      const since = reason === 'standing-still' ? (stuckSince ?? same) : same
      assessment = { ...because(reason), observedAt: at, changedAt, since }
      return assessment
    },
  }
}
