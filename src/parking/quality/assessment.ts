import type { Reading } from '../../store/store.ts'
import { createCommonFailure, type Suspect } from './common-failure.ts'
import { ageVerdict, type Verdict } from './quality.ts'
import { createJudge, type Judge, type JudgeOptions, NOTHING_KNOWN } from './quality-check.ts'
import { THRESHOLDS } from './thresholds.ts'

/** The car parks there are: the spaces of each, null where unknown, by code in upper case. */
export type CarParkRecords = ReadonlyMap<string, number | null>

export interface TrustOptions extends Pick<JudgeOptions, 'clock' | 'isHoliday'> {
  /** Asked whenever something is judged, since records change. Without them every code is a car park of unknown size. */
  readonly records?: () => CarParkRecords | undefined
}

/** What the feed lists at one time. */
export interface Listing {
  /** The feed's own time, milliseconds since 1970 UTC. */
  readonly at: number
  readonly entries: readonly (Omit<Reading, 'at'> & { readonly code: string })[]
}

/** Judges the counts of all car parks. Codes are the same in upper and lower case. */
export interface Trust {
  /**
   * Takes what the feed lists, in the order of time, and gives the verdict on each count in their order, whether or not
   * the car park has a record. A listing that is not later than the last changes nothing.
   */
  observe(listing: Listing): readonly Verdict[]
  /** The verdict on a car park's count at a time. */
  verdict(code: string, now: number): Verdict
  /** The verdicts on all car parks that have a record or were listed within the last week, by code in upper case. */
  verdicts(now: number): ReadonlyMap<string, Verdict>
}

interface Judged {
  readonly judge: Judge
  verdict: Verdict
  readonly firstAt: number
  listedAt: number
  /** The first listing without it; undefined while it is listed. */
  goneAt: number | undefined
}

export function createTrust({ clock, isHoliday, records }: TrustOptions): Trust {
  const judged = new Map<string, Judged>()
  const common = createCommonFailure()
  let latest = Number.NEGATIVE_INFINITY

  function open(code: string): Judged {
    const capacity = () => records?.()?.get(code)
    const judge = createJudge({ clock, capacity, ...(isHoliday && { isHoliday }) })
    const opened = { judge, verdict: NOTHING_KNOWN, firstAt: latest, listedAt: latest, goneAt: undefined }
    judged.set(code, opened)
    return opened
  }

  function take({ code, spaces, open: isOpen, status }: Listing['entries'][number]): void {
    const key = code.toUpperCase()
    const one = judged.get(key) ?? open(key)
    one.verdict = one.judge.observe({ at: latest, spaces, open: isOpen, status })
    one.listedAt = latest
    one.goneAt = undefined
  }

  function noteGone(): void {
    for (const [code, one] of judged) {
      if (one.listedAt === latest) continue
      one.goneAt ??= latest
      const lately = latest - one.listedAt <= THRESHOLDS.missingForMs
      if (records?.()?.has(code) || (lately && judged.size <= THRESHOLDS.codesAtMost)) continue
      judged.delete(code)
      common.forget(code)
    }
  }

  function judgeTogether(): void {
    const suspects: Suspect[] = []
    for (const [code, { verdict, listedAt }] of judged)
      if (listedAt === latest && verdict.quality !== 'closed' && verdict.changedAt !== null)
        suspects.push({
          code,
          changedAt: verdict.changedAt,
          frozenSince: verdict.quality === 'frozen' ? (verdict.since ?? undefined) : undefined,
        })
    for (const [code, since] of common.judge(suspects)) {
      const one = judged.get(code)
      if (one)
        one.verdict = { ...one.verdict, quality: 'frozen', reason: 'standing-still-with-others', since }
    }
  }

  function verdictOf(code: string, now: number): Verdict {
    const one = judged.get(code)
    if (one === undefined) return NOTHING_KNOWN
    const { verdict, goneAt, firstAt } = one
    if (goneAt !== undefined)
      return { ...verdict, quality: 'missing', reason: 'no-longer-listed', since: goneAt }
    const aged = ageVerdict(verdict, now)
    if (aged.quality === 'closed' || aged.quality === 'stale') return aged
    if (records?.()?.has(code) ?? true) return aged
    return { ...aged, quality: 'implausible', reason: 'no-car-park-record', since: firstAt }
  }

  return {
    observe(listing) {
      if (listing.at > latest) {
        latest = listing.at
        listing.entries.forEach(take)
        noteGone()
        judgeTogether()
      }
      return listing.entries.map(({ code }) => judged.get(code.toUpperCase())?.verdict ?? NOTHING_KNOWN)
    },
    verdict: (code, now) => verdictOf(code.toUpperCase(), now),
    verdicts(now) {
      const codes = new Set([...(records?.()?.keys() ?? []), ...judged.keys()])
      return new Map([...codes].map(code => [code, verdictOf(code, now)]))
    },
  }
}
