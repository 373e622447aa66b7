import type { Store } from '../../store/store.ts'

const DAY_MS = 86_400_000

/** Drops readings that are older than the operator keeps them, a few days at a time; gives how many. */
export async function dropOld(
  store: Pick<Store, 'keptHistory' | 'dropHistory'>,
  options: { now: number; keepDays: number },
): Promise<number> {
  const before = options.now - options.keepDays * DAY_MS
  const oldest = Math.min(...(await store.keptHistory()).map(({ first }) => first))
  let dropped = 0
  // A year at once would hold up whoever else uses the store.
  for (let until = oldest + DAY_MS; until < before; until += DAY_MS) dropped += await store.dropHistory(until)
  return oldest < before ? dropped + (await store.dropHistory(before)) : dropped
}
