const MINUTE_MS = 60_000

/**
 * Every number that the judging of counts rests on. How they were chosen stands in README.md beside this file;
 * `npm run bench:trust` shows what they find.
 */
export const THRESHOLDS = {
  /** The feed gives a reading every five minutes: older than this, at least two are lost. */
  staleAfterMs: 15 * MINUTE_MS,
  /** A car park that was listed within this time and is no longer is missing; later it is forgotten. */
  missingForMs: 7 * 24 * 60 * MINUTE_MS,
  /** Codes judged at a time: twice what the feed may list. Beyond it those no longer listed are forgotten. */
  codesAtMost: 1000,

  step: {
    /** Readings closer than this to the last step are no new evidence of standing still. */
    leastMs: 4 * MINUTE_MS,
    /** Habits are learned from steps up to this long: the feed's own rhythm. */
    learnedMs: 7 * MINUTE_MS,
    /** Beyond this the count may have moved unseen: what was suspected before is dropped once it differs. */
    unseenMs: 120 * MINUTE_MS,
  },

  standing: {
    /** The most that a step without change counts: fourteen at least make a freeze, 70 minutes. */
    stepAtMost: 0.75,
    /** The same for a count at 0: what fills a car park keeps it full. */
    stepAtMostAtZero: 0.15,
    /** Taken off each step first: standing still twelve times of thirteen is no habit of moving. */
    allowance: 0.08,
    /** What a change takes off again. */
    change: 3,
    /** Frozen from here: e to the minus this is the chance of it at most. */
    found: 10,
    /** Suspicion grows no further than this, so that a freeze of days ends as soon as one of hours. */
    atMost: 14,
    /** Good again from here. */
    recovered: 2,
    /** Hours of the clock by which a freeze may be found. Quiet nights bring suspicion up to half, no further. */
    fromHour: 7,
    toHour: 21,
    atNight: 5,
  },

  habits: {
    /** Each hour of each kind of day remembers about this many steps: four weeks of working days. */
    memory: 240,
    /** How many steps the guesses of a cold start weigh. */
    guessWeight: 12,
    /** An hour of which fewer steps are known is little known: a week of working days. */
    littleKnown: 60,
    /** What stood for less than this and moved again is learned there even if it looked frozen. */
    briefMs: 24 * 60 * MINUTE_MS,
    /** Guessed chance that a five-minute step is no change. */
    guess: { workdayDaytime: 0.4, restDayDaytime: 0.6, night: 0.95, atZero: 0.97 },
    /** After this many steps of an hour in which it was never at 0, that it is now is not assumed to be normal. */
    zeroGuessWeight: 60,
  },

  reach: {
    /** The largest change of a day is remembered for this many days. */
    days: 28,
    /** In five minutes a count may change by this many times the median of those. */
    factor: 2,
    atLeast: 25,
    /** Days that must be known before the car park's own past is asked; until then this is plausible. */
    fromDays: 4,
    guess: 100,
    stepMs: 5 * MINUTE_MS,
  },

  zero: {
    /** What fills up does so by degrees: 0 is reached from so much of what is in reach otherwise. */
    reach: 0.5,
    /** From this share of the steps of an hour it is usual for the car park to be at 0 then. */
    usualFrom: 0.1,
    /** A 0 that came by a jump is believed at a usual hour once it has stood for so long. */
    believedAfterMs: 30 * MINUTE_MS,
    /** What was no count in the evening is none in the morning. */
    believedUntilMs: 120 * MINUTE_MS,
  },

  confirming: {
    /** So many readings near each other make a jump a fact, unless all are 0. */
    readings: 3,
    /** The longest time between two of them. */
    withinMs: 30 * MINUTE_MS,
  },

  capacity: {
    /** Counters drift a little above the number of spaces. */
    toleratedShare: 0.05,
    toleratedSpaces: 5,
  },

  together: {
    /** So many others found frozen speak for a common failure. */
    others: 2,
    /** Counts that stopped within this time of each other stopped together. */
    withinMs: 60 * MINUTE_MS,
    /** A count that moved this much later than another stopped did not stop with it. */
    toleranceMs: 10 * MINUTE_MS,
  },
} as const
