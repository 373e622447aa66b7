import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../values/time-units.ts'

/**
 * The thresholds of the quality check. README.md beside this file explains their choice; `npm run bench:trust` shows
 * their results.
 */
export const THRESHOLDS = {
  /** The feed gives a reading every five minutes: older than this, at least two are lost. */
  staleAfterMs: 15 * MINUTE_MS,
  /** A car park that was listed within this time and is no longer is missing; later it is forgotten. */
  missingForMs: 7 * DAY_MS,
  /** The most codes: twice as many as the feed may list. With more, codes that are no longer listed are forgotten. */
  codesAtMost: 1000,

  step: {
    /** Readings closer than this to the last step are no new evidence of a stuck sensor. */
    leastMs: 4 * MINUTE_MS,
    /** The longest step that trains the baseline: the feed's own interval, with some tolerance. */
    learnedMs: 7 * MINUTE_MS,
    /** Over a longer gap the count may have moved unseen: a change after it resets the detector. */
    unseenMs: 2 * HOUR_MS,
  },

  stuck: {
    /** The most that a step without change adds: at least fourteen make a stuck sensor, 70 minutes. */
    stepAtMost: 0.75,
    /** The same for a count at 0: demand that fills a car park keeps it full. */
    stepAtMostAtZero: 0.15,
    /** Subtracted from each step first: a count that is unchanged twelve times of thirteen does not usually move. */
    allowance: 0.08,
    /** Subtracted at each change. */
    change: 3,
    /** Stuck from this sum on: its probability is e to the minus this at most. */
    found: 10,
    /** The limit of the sum, so that recovery after days takes no longer than after hours. */
    atMost: 14,
    /** Recovered from this sum down. */
    recovered: 2,
    /** The hours of the clock in which a stuck sensor may be detected. Quiet nights bring the sum up to half, no further. */
    fromHour: 7,
    toHour: 21,
    atNight: 5,
  },

  baseline: {
    /** Each hour of each kind of day remembers about this many steps: four weeks of working days. */
    memory: 240,
    /** The weight of the guesses of a cold start, in steps. */
    guessWeight: 12,
    /** An hour with fewer steps is little known: a week of working days. */
    littleKnown: 60,
    /** A count that was unchanged for less than this and moved again trains a little known hour even if it looked stuck. */
    briefMs: DAY_MS,
    /** Guessed chance that a five-minute step is no change. */
    guess: { workdayDaytime: 0.4, restDayDaytime: 0.6, night: 0.95, atZero: 0.97 },
    /** After this many steps of an hour without a 0, a 0 is not assumed to be normal. */
    zeroGuessWeight: 60,
  },

  rateOfChange: {
    /** The largest change of a day is remembered for this many days. */
    days: 28,
    /** In five minutes a count may change by this many times the median of these largest changes. */
    factor: 2,
    atLeast: 25,
    /** The number of known days from which the car park's own past applies; until then this is plausible. */
    fromDays: 4,
    guess: 100,
    stepMs: 5 * MINUTE_MS,
  },

  zero: {
    /** A car park fills up by degrees: the share of the maximum change that may end at 0. */
    rateOfChange: 0.5,
    /** The share of the steps of an hour from which 0 is usual in it. */
    usualFrom: 0.1,
    /** A 0 after a jump is accepted at a usual hour once it has stayed for this time. */
    acceptedAfterMs: 30 * MINUTE_MS,
    /** An outlier in the evening is not accepted in the morning. */
    acceptedUntilMs: 2 * HOUR_MS,
  },

  confirming: {
    /** The readings near each other that confirm a jump, unless all are 0. */
    readings: 3,
    /** The longest time between two of them. */
    withinMs: 30 * MINUTE_MS,
  },

  capacity: {
    /** Counters drift a little above the number of spaces. */
    toleratedShare: 0.05,
    toleratedSpaces: 5,
  },

  commonFailure: {
    /** The number of other stuck sensors in a common failure. */
    others: 2,
    /** Counts that stopped within this time of each other stopped together. */
    withinMs: HOUR_MS,
    /** A count that moved this much later than another stopped did not stop with it. */
    toleranceMs: 10 * MINUTE_MS,
  },
} as const
