import { sql } from 'kysely'
import type { HistoricReading } from '../store.ts'
import { HOUR_MS, sumHours } from './reading-hours.ts'
import { nameId, statusId } from './reading-names.ts'
import type { Registry } from './registry.ts'
import { writing } from './writing.ts'

/** Readings handed to SQLite at once, as one JSON text. */
const BATCH = 5000

/**
 * Keeps readings of the past, all or none, leaving alone what is known of the same car park and time; gives how many
 * were new. They are gathered in memory first, so that the registry is held only for as long as they take to go in.
 */
export async function addHistory(registry: Registry, readings: Iterable<HistoricReading>): Promise<number> {
  await sql`create table main.gathered (at integer, carpark integer, ordinal integer, spaces integer, status integer,
    open integer, primary key (at, carpark)) without rowid`.execute(registry)
  try {
    const gathered = await gather(registry, readings)
    if (gathered === undefined) return 0
    return await writing(registry, transaction => putIn(transaction, gathered))
  } finally {
    await sql`drop table main.gathered`.execute(registry)
  }
}

/** What the gathered readings refer to by place, and their first and last time. */
interface Gathered {
  readonly carparks: readonly { code: string; name: string }[]
  readonly statuses: readonly (string | null)[]
  readonly first: number
  readonly last: number
}

async function gather(
  registry: Registry,
  readings: Iterable<HistoricReading>,
): Promise<Gathered | undefined> {
  const carparks = placesOf<{ code: string; name: string }>()
  const statuses = placesOf<string | null>()
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let [lastAt, ordinal] = [Number.NaN, 0]
  let rows: unknown[] = []
  for (const { at, code, name, spaces, status, open } of readings) {
    ordinal = at === lastAt ? ordinal + 1 : 0
    lastAt = at
    first = Math.min(first, at)
    last = Math.max(last, at)
    const carpark = carparks.of(JSON.stringify([code, name]), { code, name })
    rows.push([at, carpark, ordinal, spaces, statuses.of(JSON.stringify(status), status), open])
    if (rows.length < BATCH) continue
    await handOver(registry, rows)
    rows = []
  }
  await handOver(registry, rows)
  return first > last ? undefined : { carparks: carparks.all, statuses: statuses.all, first, last }
}

/** Gives each different thing a place in a list. */
function placesOf<T>() {
  const places = new Map<string, number>()
  const all: T[] = []
  return {
    all,
    of(key: string, thing: T): number {
      const known = places.get(key)
      if (known !== undefined) return known
      places.set(key, all.length)
      return all.push(thing) - 1
    },
  }
}

async function handOver(registry: Registry, rows: readonly unknown[]): Promise<void> {
  await sql`
    insert or ignore into main.gathered
    select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
    from json_each(${JSON.stringify(rows)})`.execute(registry)
}

async function putIn(transaction: Registry, gathered: Gathered): Promise<number> {
  const names: number[] = []
  for (const carpark of gathered.carparks) names.push(await nameId(transaction, carpark))
  const statuses: (number | null)[] = []
  for (const status of gathered.statuses) statuses.push(await statusId(transaction, status))
  const { numAffectedRows = 0n } = await sql`
    insert into file.readings (at, name_id, ordinal, spaces, status_id, open)
    select at, ${JSON.stringify(names)} ->> carpark, ordinal, spaces, ${JSON.stringify(statuses)} ->> status, open
    from main.gathered where true
    on conflict do nothing`.execute(transaction)
  if (numAffectedRows === 0n) return 0
  await sumHours(transaction, Math.floor(gathered.first / HOUR_MS), Math.floor(gathered.last / HOUR_MS) + 1)
  await sql`update state set history_revision = history_revision + 1`.execute(transaction)
  return Number(numAffectedRows)
}

/** Drops readings from before a time; gives how many. */
export async function dropHistory(registry: Registry, before: number): Promise<number> {
  return writing(registry, async transaction => {
    const dropped = await transaction.deleteFrom('readings').where('at', '<', before).executeTakeFirst()
    if (dropped.numDeletedRows === 0n) return 0
    await transaction.deleteFrom('observations').where('at', '<', before).execute()
    const hour = Math.floor(before / HOUR_MS)
    await transaction.deleteFrom('reading_hours').where('hour', '<', hour).execute()
    await sumHours(transaction, hour, hour + 1)
    return Number(dropped.numDeletedRows)
  })
}
