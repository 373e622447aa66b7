import type { Reading } from '../../store/store.ts'
import type { LocalClock } from '../local-clock.ts'
import { createCommonFailure, type Suspect } from './common-failure.ts'
import { type Assessment, because } from './quality.ts'
import { createQualityCheck, NEVER_LISTED, type QualityCheck } from './quality-check.ts'
import { THRESHOLDS } from './thresholds.ts'

/** The published car parks: the spaces of each, null if unknown, by code in upper case. */
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
  readonly listedAt: number
  /** The first listing without the car park; absent while it is listed. */
  goneAt?: number
}

/** Creates the assessment of all car parks, without any listing yet. Codes are the same in upper and lower case. */
export function createDataQuality({ clock, records }: DataQualityOptions) {
  /** By code in upper case. */
  const assessed = new Map<string, Assessed>()
  const common = createCommonFailure()
  let latest = Number.NEGATIVE_INFINITY

  function take(entry: Listing['entries'][number]): void {
    const code = entry.code.toUpperCase()
    const { check = createQualityCheck(clock, () => records()?.get(code)), firstAt = latest } =
      assessed.get(code) ?? {}
    const assessment = check.observe({ ...entry, at: latest })
    assessed.set(code, { check, assessment, firstAt, listedAt: latest })
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
    for (const [code, { assessment, listedAt }] of assessed) {
      const { quality, changedAt, since } = assessment
      if (listedAt === latest && quality !== 'closed' && changedAt !== null)
        suspects.push({ code, changedAt, stuckSince: quality === 'frozen' ? since : null })
    }
    for (const [code, since] of common.detect(suspects)) {
      const one = assessed.get(code)
      if (one) one.assessment = { ...one.assessment, ...because('standing-still-with-others'), since }
    }
  }

  return {
    /**
     * Takes a listing, in the order of time, and returns the assessment of each of its entries, whether or not the car
     * park has a record. A listing that is not later than the last one changes nothing, and is not assessed.
     */
    observe({ at, entries }: Listing): readonly Assessment[] {
      if (at <= latest) return []
      latest = at
      entries.forEach(take)
      markGone()
      detectCommonFailure()
      return entries.map(({ code }) => assessed.get(code.toUpperCase())?.assessment ?? NEVER_LISTED)
    },
    /** The time of the last listing. */
    latest: () => latest,
    /** The car parks that have a record or were listed within the last week, by code in upper case. */
    codes: (): ReadonlySet<string> => new Set([...(records()?.keys() ?? []), ...assessed.keys()]),
    /** The assessment of a car park's count at a time. */
    assessment(anyCase: string, now: number): Assessment {
      const code = anyCase.toUpperCase()
      const one = assessed.get(code)
      if (one === undefined) return NEVER_LISTED
      const { assessment, goneAt, firstAt, listedAt } = one
      if (goneAt !== undefined) return { ...assessment, ...because('no-longer-listed'), since: goneAt }
      // A closed car park has no count that could be too old.
      if (assessment.quality === 'closed') return assessment
      if (now - listedAt > THRESHOLDS.staleAfterMs)
        return { ...assessment, ...because('reading-too-old'), since: listedAt }
      if (records()?.has(code) ?? true) return assessment
      return { ...assessment, ...because('no-car-park-record'), since: firstAt }
    },
  }
}
