import Type from 'typebox'
import * as field from '../../datasets/fields.ts'
import { type Assessment, explain, QUALITIES, REASONS } from './quality.ts'

const codes = Object.keys(REASONS).filter(reason => reason !== 'nothing-suspicious')

/** The data quality of a car park's count, as fields beside the count. */
export const LiveQuality = Type.Object({
  quality: field.enumeration(QUALITIES, {
    description: '`good`, or what keeps the count from being so.',
    examples: ['good'],
  }),
  reason: field.nullableOpenEnumeration(codes, {
    description: 'Why it is not `good`, as a word; null where it is.',
    examples: ['standing-still'],
  }),
  detail: field.nullableText({ description: 'The same in a sentence.' }),
  observedAt: field.nullableTimestamp({
    description: 'The time of its last reading, as the feed gives it; null where there is none.',
  }),
  changedAt: field.nullableTimestamp({
    description: 'When its count last moved; null where that is not known.',
  }),
})
export type LiveQuality = Type.Static<typeof LiveQuality>

/** The same, with the age of the reading at the time of the response. */
export const AgedQuality = Type.Object({
  ...LiveQuality.properties,
  ageSeconds: field.nullableInteger({
    description: 'Seconds since its last reading; null where there is none.',
    minimum: 0,
    examples: [84],
  }),
})
export type AgedQuality = Type.Static<typeof AgedQuality>

/** The public form of an assessment. */
export function describeAssessment({ quality, reason, observedAt, changedAt }: Assessment): LiveQuality {
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
export function describeAssessmentAt(assessment: Assessment, now: number): AgedQuality {
  const { observedAt } = assessment
  const ageSeconds = observedAt === null ? null : Math.max(0, Math.floor((now - observedAt) / 1000))
  return { ...describeAssessment(assessment), ageSeconds }
}

const timeOf = (instant: number | null): string | null =>
  instant === null ? null : new Date(instant).toISOString()
