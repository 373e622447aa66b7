import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ReadingStore } from '../../store/store.ts'

const DAY_MS = 86_400_000

/**
 * Drops readings that are older than the operator keeps them, a day of them at a time; gives how many. The feed's last
 * observation and what came after it stays, however old: a service that starts anew has to have something to show while
 * the feed is down. Rejects once aborted, with what is dropped by then dropped.
 */
export async function dropOld(
  store: Pick<ReadingStore, 'keptHistory' | 'latestObservation' | 'dropHistory'>,
  { now, keepDays, signal }: { now: number; keepDays: number; signal: AbortSignal },
): Promise<number> {
  const lastOfFeed = await store.latestObservation()
  const before = Math.min(
    now - keepDays * DAY_MS,
    lastOfFeed === undefined ? Number.POSITIVE_INFINITY : Date.parse(lastOfFeed.timestamp),
  )
  const oldest = Math.min(...(await store.keptHistory()).map(({ first }) => first))
  let dropped = 0
  // A year at once would hold up whoever else uses the store, and this process.
  for (let until = oldest; until < before; ) {
    signal.throwIfAborted()
    until = Math.min(until + DAY_MS, before)
    dropped += await store.dropHistory(until)
    await nextTurn()
  }
  return dropped
}
