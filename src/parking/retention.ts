import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ReadingStore } from '../store/store.ts'
import { DAY_MS } from '../values/time-units.ts'

/**
 * Deletes readings older than the retention period, one day at a time, and resolves to their number. The feed's last
 * observation and all after it stay, however old: a new process must have something to serve while the feed is down.
 * Rejects once aborted; readings deleted by then stay deleted.
 */
export async function dropOldReadings(
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
  // A year at once would block other users of the store, and this process.
  for (let until = oldest; until < before; ) {
    signal.throwIfAborted()
    until = Math.min(until + DAY_MS, before)
    dropped += await store.dropHistory(until)
    await nextTurn()
  }
  return dropped
}
