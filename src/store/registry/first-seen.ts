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
  const rows = Array.from(firstSeen, ([id, seen]) => ({ dataset, id: escapeText(id), seen }))
  for (let start = 0; start < rows.length; start += BATCH)
    await registry
      .insertInto('first_seen')
      .values(rows.slice(start, start + BATCH))
      .onConflict(conflict => conflict.doNothing())
      .execute()
}

/** When each id of a dataset was first seen. */
export async function readFirstSeen(registry: Registry, dataset: string): Promise<Map<string, string>> {
  const rows = await registry
    .selectFrom('first_seen')
    .where('dataset', '=', dataset)
    .select(['id', 'seen'])
    .execute()
  return new Map(rows.map(({ id, seen }) => [unescapeText(id), seen]))
}
