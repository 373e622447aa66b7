import type { Selectable } from 'kysely'
import { keepText, readText } from '../plain-text.ts'
import type { LiveEntry, Observation } from '../store.ts'
import type { Registry } from './registry.ts'
import type { ReadingRow } from './registry-tables.ts'

/** Keeps an observation, whole or not at all; one of the same time is left as it is. */
export async function addObservation(registry: Registry, observation: Observation): Promise<void> {
  const at = Date.parse(observation.timestamp)
  if (Number.isNaN(at)) throw new TypeError(`"${observation.timestamp}" is not a time`)
  await registry.transaction().execute(async transaction => {
    const added = await transaction
      .insertInto('observations')
      .values({ at })
      .onConflict(conflict => conflict.doNothing())
      .executeTakeFirst()
    if (added.numInsertedOrUpdatedRows !== 1n) return
    for (const [ordinal, entry] of observation.entries.entries())
      await transaction
        .insertInto('readings')
        .values(await reading(transaction, at, ordinal, entry))
        .execute()
  })
}

async function reading(
  registry: Registry,
  at: number,
  ordinal: number,
  entry: LiveEntry,
): Promise<Selectable<ReadingRow>> {
  return {
    at,
    ordinal,
    name_id: await nameId(registry, keepText(entry.code), keepText(entry.name)),
    spaces: entry.spaces,
    status_id: await statusId(registry, keepText(entry.status)),
    open: entry.open ? 1 : 0,
  }
}

/** A car park that changes its name gets another row, so that older readings keep the name of their time. */
async function nameId(registry: Registry, code: string, name: string): Promise<number> {
  const known = await registry
    .selectFrom('reading_names')
    .where('code', '=', code)
    .where('name', '=', name)
    .select('id')
    .executeTakeFirst()
  if (known !== undefined) return known.id
  const added = registry.insertInto('reading_names').values({ code, name }).returning('id')
  return (await added.executeTakeFirstOrThrow()).id
}

async function statusId(registry: Registry, status: string): Promise<number> {
  const known = await registry
    .selectFrom('reading_statuses')
    .where('status', '=', status)
    .select('id')
    .executeTakeFirst()
  if (known !== undefined) return known.id
  const added = registry.insertInto('reading_statuses').values({ status }).returning('id')
  return (await added.executeTakeFirstOrThrow()).id
}

/** The observation of the latest time. */
export async function readLatestObservation(registry: Registry): Promise<Observation | undefined> {
  const latest = await registry
    .selectFrom('observations')
    .select('at')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (latest === undefined) return undefined
  const rows = await registry
    .selectFrom('readings')
    .innerJoin('reading_names', 'reading_names.id', 'readings.name_id')
    .innerJoin('reading_statuses', 'reading_statuses.id', 'readings.status_id')
    .where('at', '=', latest.at)
    .select(['name', 'code', 'spaces', 'status', 'open'])
    .orderBy('ordinal')
    .execute()
  const entries = rows.map(row => ({
    name: readText(row.name),
    code: readText(row.code),
    spaces: row.spaces,
    status: readText(row.status),
    open: row.open === 1,
  }))
  return { timestamp: new Date(latest.at).toISOString(), entries }
}
