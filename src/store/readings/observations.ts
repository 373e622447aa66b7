import type { Registry, WriteRegistry } from '../registry/tables.ts'
import type { Observation } from '../store.ts'
import { readReadings } from './history-queries.ts'
import { rowsOf, sumHours } from './reading-rows.ts'

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
    const rowOf = rowsOf(transaction, null)
    for (const entry of observation.entries) {
      const row = await rowOf({ ...entry, at })
      // Replaces an imported reading of that time, so that removing the batch keeps the feed's reading.
      await transaction
        .insertInto('readings')
        .values(row)
        .onConflict(conflict => conflict.columns(['at', 'name_id']).doUpdateSet(row))
        .execute()
    }
    await sumHours(transaction, at, at)
  })
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
  const { at } = latest
  const readings = await readReadings(registry, { from: at, to: at + 1 })
  const entries = readings.flatMap(({ name, code, spaces, status, open }) =>
    // The feed always has both; a reading from a file may lack one.
    status === null || open === null ? [] : [{ name, code, spaces, status, open }],
  )
  return { timestamp: new Date(at).toISOString(), entries }
}
