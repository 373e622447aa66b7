import type { Reading } from '../../store/store.ts'
import type { LocalClock } from '../local-clock.ts'
import { createCommonFailure, type Suspect } from './common-failure.ts'
import type { Assessment } from './quality.ts'
import { createQualityCheck, NEVER_LISTED, type QualityCheck } from './quality-check.ts'
import { THRESHOLDS } from './thresholds.ts'

/** The published car parks: the spaces of each, null where unknown, by code in upper case. */
export type CarParkRecords = ReadonlyMap<string, number | null>

export interface DataQualityOptions {
  readonly clock: LocalClock
  /** Called at each assessment, since records change. Without them every code is a car park of unknown size. */
  readonly records: () => CarParkRecords | undefined
}

/** The entries of the feed at one time. */
export interface Listing {
  /** The feed's own time, milliseconds since 1970 UTC. */
  readonly at: number
  readonly entries: readonly (Omit<Reading, 'at'> & { readonly code: string })[]
}

interface Assessed {
  readonly check: QualityCheck
  assessment: Assessment
  readonly firstAt: number
  listedAt: number
  /** The first listing without it; undefined while it is listed. */
  goneAt: number | undefined
}

/** Creates the assessment of all car parks, without any listing yet. Codes are the same in upper and lower case. */
export function createDataQuality({ clock, records }: DataQualityOptions) {
  const assessed = new Map<string, Assessed>()
  const common = createCommonFailure()
  let latest = Number.NEGATIVE_INFINITY

  function add(code: string): Assessed {
    const check = createQualityCheck({ clock, capacity: () => records()?.get(code) })
    const added = { check, assessment: NEVER_LISTED, firstAt: latest, listedAt: latest, goneAt: undefined }
    assessed.set(code, added)
    return added
  }

  function take({ code, spaces, open: isOpen, status }: Listing['entries'][number]): void {
    const key = code.toUpperCase()
    const one = assessed.get(key) ?? add(key)
    one.assessment = one.check.observe({ at: latest, spaces, open: isOpen, status })
    one.listedAt = latest
    one.goneAt = undefined
  }

  function markGone(): void {
    for (const [code, one] of assessed) {
      if (one.listedAt === latest) continue
      one.goneAt ??= latest
      const lately = latest - one.listedAt <= THRESHOLDS.missingForMs
      if (records()?.has(code) || (lately && assessed.size <= THRESHOLDS.codesAtMost)) continue
      assessed.delete(code)
      common.forget(code)
    }
  }

  function detectCommonFailure(): void {
    const suspects: Suspect[] = []
    for (const [code, { assessment, listedAt }] of assessed)
      if (listedAt === latest && assessment.quality !== 'closed' && assessment.changedAt !== null)
        suspects.push({
          code,
          changedAt: assessment.changedAt,
          stuckSince: assessment.quality === 'frozen' ? (assessment.since ?? undefined) : undefined,
        })
    for (const [code, since] of common.detect(suspects)) {
      const one = assessed.get(code)
      if (one)
        one.assessment = { ...one.assessment, quality: 'frozen', reason: 'standing-still-with-others', since }
    }
  }

  function assessmentOf(code: string, now: number): Assessment {
    const one = assessed.get(code)
    if (one === undefined) return NEVER_LISTED
    const { assessment, goneAt, firstAt } = one
    if (goneAt !== undefined)
      return { ...assessment, quality: 'missing', reason: 'no-longer-listed', since: goneAt }
    const aged = ageAssessment(assessment, now)
    if (aged.quality === 'closed' || aged.quality === 'stale') return aged
    if (records()?.has(code) ?? true) return aged
    return { ...aged, quality: 'implausible', reason: 'no-car-park-record', since: firstAt }
  }

  return {
    /**
     * Takes a listing, in the order of time, and returns the assessment of each of its entries, whether or not the car
     * park has a record. A listing that is not later than the last changes nothing.
     */
    observe(listing: Listing): readonly Assessment[] {
      if (listing.at > latest) {
        latest = listing.at
        listing.entries.forEach(take)
        markGone()
        detectCommonFailure()
      }
      return listing.entries.map(({ code }) => assessed.get(code.toUpperCase())?.assessment ?? NEVER_LISTED)
    },
    /** The assessment of a car park's count at a time. */
    assessment: (code: string, now: number): Assessment => assessmentOf(code.toUpperCase(), now),
    /** The assessments of all car parks that have a record or were listed within the last week, by code in upper case. */
    assessments(now: number): ReadonlyMap<string, Assessment> {
      const codes = new Set([...(records()?.keys() ?? []), ...assessed.keys()])
      return new Map([...codes].map(code => [code, assessmentOf(code, now)]))
    },
  }
}

/** The assessment of the last reading at a later time: stale after {@link THRESHOLDS.staleAfterMs}, unless there is no count anyway. */
function ageAssessment(assessment: Assessment, now: number): Assessment {
  const { quality, observedAt } = assessment
  if (observedAt === null || quality === 'missing' || quality === 'closed') return assessment
  if (now - observedAt <= THRESHOLDS.staleAfterMs) return assessment
  return { ...assessment, quality: 'stale', reason: 'reading-too-old', since: observedAt }
}
