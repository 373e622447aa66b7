import type { KeptHistory, Observation } from '../../store/store.ts'
import { type CarparkInsight, createInsight, type InsightOptions } from './insight.ts'

/** A car park that the feed counts or counted. */
export interface Counted {
  readonly code: string
  /** Its latest name. */
  readonly name: string
}

/** All that is known of the counts: whose they are, and what follows from them. */
export interface Knowledge {
  readonly insight: CarparkInsight
  /** By code. */
  counted(): readonly Counted[]
  /** Takes a new observation of the feed. */
  take(observation: Observation): void
  /** Names no car park any more of which nothing is kept and which the feed does not list. */
  keepOnly(kept: readonly KeptHistory[]): void
}

/** Starts with the names of what is kept. */
export function createKnowledge(options: InsightOptions, kept: readonly KeptHistory[] = []): Knowledge {
  const insight = createInsight(options)
  /** By code in upper case. */
  let counted = named(kept)
  let listed: readonly Counted[] = []
  return {
    insight,
    counted: () => [...counted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, carpark]) => carpark),
    take({ timestamp, entries }) {
      listed = entries
      for (const [key, carpark] of named(entries)) counted.set(key, carpark)
      insight.observe({ at: Date.parse(timestamp), entries })
    },
    keepOnly(kept) {
      counted = new Map([...named(kept), ...named(listed)])
    },
  }
}

const named = (carparks: readonly Counted[]): Map<string, Counted> =>
  new Map(carparks.map(({ code, name }) => [code.toUpperCase(), { code, name }]))
