import { unescapeText } from '../encoding/content.ts'
import type { Registry, WriteRegistry } from '../registry/tables.ts'
import type { LiveEntry, Observation } from '../store.ts'
import { nameId, statusId, sumHours } from './reading-rows.ts'

/** Stores an observation, whole or not at all. Changes nothing if an observation with its timestamp is stored. */
export async function insertObservation(write: WriteRegistry, observation: Observation): Promise<void> {
  const at = Date.parse(observation.timestamp)
  if (Number.isNaN(at)) throw new TypeError(`"${observation.timestamp}" is not a time`)
  await write(async transaction => {
    const added = await transaction
      .insertInto('observations')
      .values({ at })
      .onConflict(conflict => conflict.doNothing())
      .executeTakeFirst()
    if (added.numInsertedOrUpdatedRows !== 1n) return
    for (const [ordinal, entry] of observation.entries.entries())
      await addReading(transaction, at, ordinal, entry)
    await sumHours(transaction, at, at)
  })
}

/** Adds a feed's reading. Replaces an imported one of that time, so that removing the batch keeps the feed's reading. */
async function addReading(
  transaction: Registry,
  at: number,
  ordinal: number,
  entry: LiveEntry,
): Promise<void> {
  const state = {
    ordinal,
    spaces: entry.spaces,
    status_id: await statusId(transaction, entry.status),
    open: entry.open ? 1 : 0,
    batch: null,
  }
  const key = { at, name_id: await nameId(transaction, entry) }
  await transaction
    .insertInto('readings')
    .values({ ...key, ...state })
    .onConflict(conflict => conflict.columns(['at', 'name_id']).doUpdateSet(state))
    .execute()
}

/** The observation with the latest timestamp. */
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
    // The feed always has a status; a reading from a file may lack one.
    .innerJoin('reading_statuses', 'reading_statuses.id', 'readings.status_id')
    .where('at', '=', latest.at)
    .where('open', 'is not', null)
    .select(['name', 'code', 'spaces', 'status', 'open'])
    .orderBy('ordinal')
    .execute()
  const entries = rows.map(row => ({
    name: unescapeText(row.name),
    code: unescapeText(row.code),
    spaces: row.spaces,
    status: unescapeText(row.status),
    open: row.open === 1,
  }))
  return { timestamp: new Date(latest.at).toISOString(), entries }
}
