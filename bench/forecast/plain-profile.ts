import type { LocalClock } from '../../src/parking/local-clock.ts'

/*
 * The baseline: the mean of the last four weeks with counts at the same weekday and time, shifted by the present difference.
 */

const SLOT_MS = 300_000
const SLOTS_A_WEEK = 7 * 288
const WEEKS = 4
const WEEKS_BACK = 26

/** The share of the present difference that is left at each time ahead. */
const FADED: ReadonlyMap<number, number> = new Map([
  [15, 1],
  [30, 0.95],
  [60, 0.9],
  [120, 0.8],
])

export interface PlainProfile {
  learn(at: number, spaces: number): void
  /** The expected spaces some minutes after a count; undefined if no week has counts at both times. */
  forecast(at: number, spaces: number, minutesAhead: number): number | undefined
}

/** Makes a profile without data. */
export function plainProfile(clock: LocalClock): PlainProfile {
  const counts = new Map<number, number>()
  const slotAt = (at: number) => Math.round(clock.wallTime(at) / SLOT_MS)
  return {
    learn(at, spaces) {
      counts.set(slotAt(at), spaces)
    },
    forecast(at, spaces, minutesAhead) {
      const [now, then] = [slotAt(at), slotAt(at + minutesAhead * 60_000)]
      let weeks = 0
      let sumNow = 0
      let sumThen = 0
      for (
        let back = SLOTS_A_WEEK;
        back <= WEEKS_BACK * SLOTS_A_WEEK && weeks < WEEKS;
        back += SLOTS_A_WEEK
      ) {
        const before = counts.get(now - back)
        const after = counts.get(then - back)
        if (before === undefined || after === undefined) continue
        weeks++
        sumNow += before
        sumThen += after
      }
      if (weeks === 0) return undefined
      return sumThen / weeks + (FADED.get(minutesAhead) ?? 0) * (spaces - sumNow / weeks)
    },
  }
}
