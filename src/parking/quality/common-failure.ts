import { THRESHOLDS } from './thresholds.ts'

const { others, withinMs, toleranceMs } = THRESHOLDS.commonFailure

/** A car park in the search for common failures. */
export interface Suspect {
  readonly code: string
  /** The time of the last change of its count. */
  readonly changedAt: number
  /** The time when the sensor got stuck; null if the car park's own detector has not detected this. */
  readonly stuckSince: number | null
}

/**
 * Creates the detector of sensors that stopped together with others, though no change is normal for them.
 *
 * A full car park stays at 0 whether its sensor works or not. A sensor at 0 counts as stuck on two conditions. Two
 * other stuck sensors stopped within an hour of each other, and its count has not changed since the first of the two stopped. Another sensor is left out if it
 * failed before while this one went on counting, unless the two have failed together as well.
 */
export function createCommonFailure() {
  // For each car park with a stuck sensor, all others: true if the two failed together, false if they only failed apart.
  const togetherWith = new Map<string, Map<string, boolean>>()

  function remember(stuck: StuckSuspect, other: Suspect): void {
    const known = togetherWith.get(stuck.code) ?? new Map<string, boolean>()
    togetherWith.set(stuck.code, known)
    if (other.stuckSince === null) {
      if (!known.has(other.code) && other.changedAt > stuck.stuckSince + toleranceMs)
        known.set(other.code, false)
    } else if (Math.abs(other.stuckSince - stuck.stuckSince) <= withinMs) known.set(other.code, true)
  }

  /** The time of the first stop in a common failure. */
  function stopOf(suspect: Suspect, stuck: readonly StuckSuspect[]): number | undefined {
    const stops = stuck
      .filter(({ code }) => togetherWith.get(code)?.get(suspect.code) !== false)
      .map(({ stuckSince }) => stuckSince)
      .filter(stop => suspect.changedAt <= stop + toleranceMs)
      .sort((a, b) => b - a)
    // The latest first: a sensor that broke down for good long ago says nothing about today.
    return stops.find((stop, i) => (stops[i - others + 1] ?? Number.POSITIVE_INFINITY) - stop <= withinMs)
  }

  return {
    /** Takes a whole listing, and returns the times at which the stuck sensors that it detects stopped, by code. */
    detect(suspects: readonly Suspect[]): ReadonlyMap<string, number> {
      const found = new Map<string, number>()
      const stuck = suspects.filter((suspect): suspect is StuckSuspect => suspect.stuckSince !== null)
      for (const one of stuck) for (const other of suspects) if (other !== one) remember(one, other)
      if (stuck.length < others) return found
      for (const suspect of suspects) {
        if (suspect.stuckSince !== null) continue
        const stop = stopOf(suspect, stuck)
        if (stop !== undefined) found.set(suspect.code, Math.max(stop, suspect.changedAt))
      }
      return found
    },
    forget(code: string): void {
      togetherWith.delete(code)
      for (const known of togetherWith.values()) known.delete(code)
    },
  }
}

type StuckSuspect = Suspect & { readonly stuckSince: number }
