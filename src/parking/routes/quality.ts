import { explain, type Verdict } from '../quality/quality.ts'
import type { LiveQuality } from './quality-schema.ts'

/** A verdict as answers tell it. */
export function describeVerdict({ quality, reason, observedAt, changedAt }: Verdict): LiveQuality {
  const isGood = quality === 'good'
  return {
    quality,
    reason: isGood ? null : reason,
    detail: isGood ? null : explain(reason),
    observedAt: timeOf(observedAt),
    changedAt: timeOf(changedAt),
  }
}

/** The same with the age of the reading at a time. */
export function describeVerdictAt(verdict: Verdict, now: number) {
  const { observedAt } = verdict
  const ageSeconds = observedAt === null ? null : Math.max(0, Math.floor((now - observedAt) / 1000))
  return { ...describeVerdict(verdict), ageSeconds }
}

const timeOf = (instant: number | null): string | null =>
  instant === null ? null : new Date(instant).toISOString()
