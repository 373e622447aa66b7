import { THRESHOLDS } from './thresholds.ts'

const { others, withinMs, toleranceMs } = THRESHOLDS.together

/** A car park as the search for common failures sees it. */
export interface Suspect {
  readonly code: string
  /** When its count last moved. */
  readonly changedAt: number
  /** Since when it stands still, if its own past says so. */
  readonly frozenSince: number | undefined
}

/** Finds counts that stopped along with others, though standing still is nothing special for them. */
export interface CommonFailure {
  /** Takes all that is listed at one time, and gives since when those stand still that are believed frozen for it. */
  judge(suspects: readonly Suspect[]): ReadonlyMap<string, number>
  forget(code: string): void
}

/**
 * A full car park that stands at 0 looks the same whether it counts or not. It is believed frozen once two others are
 * found frozen that stopped within an hour of each other, and its own count has not moved since either stopped. Those
 * do not count that failed before while this one went on counting, unless the two have failed together as well.
 */
export function createCommonFailure(): CommonFailure {
  // For each car park that was found frozen, the others: true if they failed together, false if only ever apart.
  const togetherWith = new Map<string, Map<string, boolean>>()

  function remember(frozen: Frozen, other: Suspect): void {
    const known = togetherWith.get(frozen.code) ?? new Map<string, boolean>()
    togetherWith.set(frozen.code, known)
    if (other.frozenSince === undefined) {
      if (!known.has(other.code) && other.changedAt > frozen.frozenSince + toleranceMs)
        known.set(other.code, false)
    } else if (Math.abs(other.frozenSince - frozen.frozenSince) <= withinMs) known.set(other.code, true)
  }

  /** When the first of those stopped that speak for a common failure. */
  function stopOf(suspect: Suspect, frozen: readonly Frozen[]): number | undefined {
    const stops = frozen
      .filter(({ code }) => togetherWith.get(code)?.get(suspect.code) !== false)
      .map(({ frozenSince }) => frozenSince)
      .filter(stop => suspect.changedAt <= stop + toleranceMs)
      .sort((a, b) => b - a)
    // The latest first: a counter that broke down for good long ago says nothing of today.
    return stops.find((stop, i) => (stops[i - others + 1] ?? Number.POSITIVE_INFINITY) - stop <= withinMs)
  }

  return {
    judge(suspects) {
      const found = new Map<string, number>()
      const frozen = suspects.filter((suspect): suspect is Frozen => suspect.frozenSince !== undefined)
      for (const one of frozen) for (const other of suspects) if (other !== one) remember(one, other)
      if (frozen.length < others) return found
      for (const suspect of suspects) {
        if (suspect.frozenSince !== undefined) continue
        const stop = stopOf(suspect, frozen)
        if (stop !== undefined) found.set(suspect.code, Math.max(stop, suspect.changedAt))
      }
      return found
    },
    forget(code) {
      togetherWith.delete(code)
      for (const known of togetherWith.values()) known.delete(code)
    },
  }
}

type Frozen = Suspect & { readonly frozenSince: number }
