import { THRESHOLDS } from './thresholds.ts'

/** How far a count can be trusted, the worst first: the first that applies is the car park's quality. */
export const QUALITIES = ['missing', 'closed', 'stale', 'frozen', 'implausible', 'good'] as const

export type Quality = (typeof QUALITIES)[number]

/**
 * Why a count has its quality: a stable code for machines, its quality, and a sentence for people. Where several apply
 * the first counts, so that the qualities stand in the order of {@link QUALITIES}; only an entry without a car park
 * says that before anything else about its count.
 */
export const REASONS = {
  'never-listed': { quality: 'missing', text: 'The feed has not listed this car park.' },
  'no-longer-listed': { quality: 'missing', text: 'The feed no longer lists this car park.' },
  'feed-says-closed': { quality: 'closed', text: 'The feed says that this car park is closed.' },
  'reading-too-old': { quality: 'stale', text: 'There has been no new reading for more than 15 minutes.' },
  'no-car-park-record': {
    quality: 'implausible',
    text: 'No car park is known by this code: it may be a test of the feed.',
  },
  'standing-still': {
    quality: 'frozen',
    text: 'The count has hardly moved for a time in which it normally moves.',
  },
  'standing-still-with-others': {
    quality: 'frozen',
    text: 'The count stopped when others did that have been found frozen.',
  },
  'impossible-count': { quality: 'implausible', text: 'The count is not a whole number of spaces from 0.' },
  'above-capacity': { quality: 'implausible', text: 'The count is above the number of spaces there are.' },
  'impossible-jump': {
    quality: 'implausible',
    text: 'The count changed by more than it ever does in that time, and no later reading bears it out.',
  },
  'nothing-suspicious': { quality: 'good', text: 'Nothing speaks against this count.' },
} as const satisfies Record<string, { quality: Quality; text: string }>

export type Reason = keyof typeof REASONS

/** What is held of a car park's count. Times are milliseconds since 1970 UTC. */
export interface Verdict {
  readonly quality: Quality
  readonly reason: Reason
  /** The feed's time of the reading judged; null before any. */
  readonly observedAt: number | null
  /** When the count last moved: the first reading of the present count, wild values between left out. */
  readonly changedAt: number | null
  /** The first reading to which the verdict applies. It may lie before earlier verdicts: withdraw what was learned since. */
  readonly since: number | null
}

/** The quality that a reason stands for. */
export const qualityOf = (reason: Reason): Quality => REASONS[reason].quality

/** The sentence for people that goes with a reason. */
export const explain = (reason: Reason): string => REASONS[reason].text

/** What a verdict on the last reading has become at a later time: stale, unless it says that no count is to be had. */
export function ageVerdict(verdict: Verdict, now: number): Verdict {
  const { quality, observedAt } = verdict
  if (observedAt === null || quality === 'missing' || quality === 'closed') return verdict
  if (now - observedAt <= THRESHOLDS.staleAfterMs) return verdict
  return { ...verdict, quality: 'stale', reason: 'reading-too-old', since: observedAt }
}
