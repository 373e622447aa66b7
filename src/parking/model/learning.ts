import type { Observation } from '../../store/store.ts'
import type { InsightOptions } from './insight.ts'
import { createKnowledge, type Knowledge } from './knowledge.ts'
import type { ReadingHistory } from './reading-history.ts'
import { replay } from './replay.ts'

/** Keeps what is known up to date with the feed and with what the store keeps. */
export interface Learning {
  known(): Knowledge
  /** Takes a new observation of the feed. */
  take(observation: Observation): void
  /**
   * Learns anew from all that the store keeps if history was imported, or nothing was learned yet; whether it did. What
   * is known meanwhile stays as it is, and so it does where this rejects.
   */
  learn(signal: AbortSignal): Promise<boolean>
  /** Has the next {@link Learning.learn} learn anew: something may be in the store that was never taken. */
  doubt(): void
}

export interface LearningOptions extends InsightOptions {
  readonly history: ReadingHistory
  readonly now: () => number
}

/** What is learned from: as far back as forecasts look. */
const LEARNED_MS = 84 * 86_400_000
/** The feed's clock may be ahead of ours by two minutes. */
const AHEAD_MS = 3 * 60_000

/** Starts without knowing anything. */
export function createLearning(options: LearningOptions): Learning {
  const { history, now } = options
  let known = createKnowledge(options)
  let revision: number | undefined
  /** What may not be saved yet when the store is read: the last observation, and those that come meanwhile. */
  let unread: Observation[] = []
  let isReading = false
  let doubts = 0

  return {
    known: () => known,
    take(observation) {
      known.take(observation)
      unread = isReading ? [...unread, observation] : [observation]
    },
    doubt() {
      doubts++
    },
    async learn(signal) {
      const seen = await history.historyRevision()
      if (seen === revision && doubts === 0) return false
      const hadDoubts = doubts
      isReading = true
      try {
        const kept = await history.keptHistory()
        const fresh = createKnowledge(options, kept)
        // The last reading is judged however long ago it was: it is what the feed told last.
        const to = Math.min(now() + AHEAD_MS, Math.max(...kept.map(({ last }) => last + 1)))
        await replay(history, { from: to - LEARNED_MS, to }, fresh.insight, signal)
        // Those that were in the store after all come late now, and change nothing.
        for (const observation of unread) fresh.take(observation)
        known = fresh
        revision = seen
        // Those that came meanwhile are about what was not read any more.
        doubts -= hadDoubts
        return true
      } finally {
        isReading = false
      }
    },
  }
}
