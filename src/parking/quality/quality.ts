import Type from 'typebox'
import * as field from '../../datasets/fields.ts'

/** The qualities of a count, the worst first: the first that applies is the car park's. */
export const QUALITIES = ['missing', 'closed', 'stale', 'frozen', 'implausible', 'unknown', 'good'] as const

export type Quality = (typeof QUALITIES)[number]

/**
 * The reasons of a quality: a stable code for machines, the quality, and a sentence for people. Where several apply the
 * first counts, so the qualities are in the order of {@link QUALITIES}; only an entry without a car park says so
 * before anything else about its count.
 */
export const REASONS = {
  'never-listed': { quality: 'missing', text: 'The feed has not listed this car park.' },
  'no-longer-listed': { quality: 'missing', text: 'The feed no longer lists this car park.' },
  'feed-says-closed': { quality: 'closed', text: 'The feed says that this car park is closed.' },
  'reading-too-old': { quality: 'stale', text: 'There has been no new reading for more than 15 minutes.' },
  'no-car-park-record': {
    quality: 'implausible',
    text: 'No published car park has this code: it may be a test entry of the feed.',
  },
  'standing-still': {
    quality: 'frozen',
    text: 'This counter appears to be stuck: it has hardly changed at a time when it normally does.',
  },
  'standing-still-with-others': {
    quality: 'frozen',
    text: 'This counter stopped at the same time as others that are known to be stuck.',
  },
  'impossible-count': {
    quality: 'implausible',
    text: 'The feed lists this car park without a usable count: a whole number of 0 or more.',
  },
  'above-capacity': {
    quality: 'implausible',
    text: 'The count is higher than the number of spaces in the car park.',
  },
  'impossible-jump': {
    quality: 'implausible',
    text: 'The count changed faster than is possible for this car park, and no later reading confirms it.',
  },
  'history-not-read': {
    quality: 'unknown',
    text: 'The service has just started and has not read the past counts that it checks this one against.',
  },
  'nothing-suspicious': { quality: 'good', text: 'There is no reason to doubt this count.' },
} as const satisfies Record<string, { quality: Quality; text: string }>

export type Reason = keyof typeof REASONS

/** The assessment of a car park's count. Times are milliseconds since 1970 UTC. */
export interface Assessment {
  readonly quality: Quality
  readonly reason: Reason
  /** The feed's time of the assessed reading; null before any. */
  readonly observedAt: number | null
  /** The time of the last change: the first reading of the present count, without outliers between. */
  readonly changedAt: number | null
  /** The time of the first assessed reading. It may lie before earlier assessments: retract readings since then. */
  readonly since: number | null
}

/** A reason with its quality, for an assessment. */
export const because = (reason: Reason): Pick<Assessment, 'quality' | 'reason'> => ({
  quality: REASONS[reason].quality,
  reason,
})

/** The sentence for people of a reason. */
export const explain = (reason: Reason): string => REASONS[reason].text

const codes = Object.keys(REASONS).filter(reason => reason !== 'nothing-suspicious')

/** The data quality of a car park's count, as fields beside the count. */
export const LiveQuality = Type.Object({
  quality: field.enumeration(QUALITIES, {
    description:
      '`good`, or what is wrong with the count; `unknown` until it can be checked, right after a start.',
    examples: ['good'],
  }),
  reason: field.nullableOpenEnumeration(codes, {
    description: 'Why it is not `good`, as a code; null if it is.',
    examples: ['standing-still'],
  }),
  detail: field.nullableText({ description: 'The reason as a sentence.' }),
  observedAt: field.nullableTimestamp({
    description: 'The time of its last reading, as the feed gives it; null where there is none.',
  }),
  changedAt: field.nullableTimestamp({
    description: 'When its count last changed; null if not known.',
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
