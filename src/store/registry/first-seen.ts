import { escapeText, unescapeText } from '../encoding/escape-text.ts'
import type { Registry } from './tables.ts'

/** Ids in one statement; engines limit the number of parameters. */
const BATCH = 500

/** Stores when ids were first seen; stored times stay. */
export async function addFirstSeen(
  registry: Registry,
  dataset: string,
  firstSeen: ReadonlyMap<string, string>,
): Promise<void> {
  for (const batch of batches([...firstSeen]))
    await registry
      .insertInto('first_seen')
      .values(batch.map(([id, seen]) => ({ dataset, id: escapeText(id), seen })))
      .onConflict(conflict => conflict.doNothing())
      .execute()
}

/** When each of these ids was first seen; unknown ids are left out. */
export async function readFirstSeen(
  registry: Registry,
  dataset: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const batch of batches(ids)) {
    const rows = await registry
      .selectFrom('first_seen')
      .where('dataset', '=', dataset)
      .where('id', 'in', batch.map(escapeText))
      .select(['id', 'seen'])
      .execute()
    for (const { id, seen } of rows) found.set(unescapeText(id), seen)
  }
  return found
}

function* batches<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += BATCH) yield items.slice(start, start + BATCH)
}
