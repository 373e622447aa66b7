import { type RawBuilder, sql } from 'kysely'
import { sqlState } from '../connect/faults.ts'
import { type Registry, releasesOf } from '../registry.ts'

/** The names of a release's tables. */
export interface ReleaseTables {
  /** Quoted, for the text of a statement. */
  named(part: string): string
  /** For a statement of Kysely. */
  table(part: string): RawBuilder<unknown>
}

/** Returns the names of a release's tables. Parts are plain: the layout's declaration was checked. */
export function releaseTables(schema: string, id: number): ReleaseTables {
  const name = (part: string) => `r${id}_${part}`
  return {
    named: part => `"${schema}"."${name(part)}"`,
    table: part => sql.id(schema, name(part)),
  }
}

/**
 * A pruned release keeps its tables this long: a lease on its snapshot lasts an hour at most, a query on a standby
 * less.
 */
const RETIRED_MS = 70 * 60_000
/** A table in use is left to the next sweep. */
const LOCK_TIMEOUT_MS = 1000

/**
 * Drops the tables of releases that were pruned long enough ago, and of unfinished imports; resolves to their number.
 * The caller holds the write lock, so no import is running.
 */
export async function dropLeftovers(registry: Registry, schema: string): Promise<number> {
  const releases = releasesOf(registry)
  const kept = await releases.selectFrom('releases').select('id').execute()
  const resting = await releases
    .selectFrom('retired')
    .where('retired_at', '>', Date.now() - RETIRED_MS)
    .select('id')
    .execute()
  const ids = new Set([...kept, ...resting].map(({ id }) => id))
  const byId = new Map<number, string[]>()
  for (const { id, name } of await tablesOfReleases(registry, schema))
    if (!ids.has(id)) byId.set(id, [...(byId.get(id) ?? []), name])
  let dropped = 0
  for (const [id, names] of byId) {
    if (!(await dropTables(registry, schema, names))) continue
    await releases.deleteFrom('retired').where('id', '=', id).execute()
    dropped += names.length
  }
  return dropped
}

/** Drops the tables of an unpublished release. */
export async function dropRelease(registry: Registry, schema: string, id: number): Promise<void> {
  const tables = await tablesOfReleases(registry, schema)
  const names = tables.filter(table => table.id === id).map(({ name }) => name)
  await dropTables(registry, schema, names)
}

async function tablesOfReleases(registry: Registry, schema: string): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select substring(tablename from '^r([0-9]{1,15})_')::bigint as id, tablename as name from pg_catalog.pg_tables
    where schemaname = ${schema} and tablename ~ '^r[0-9]{1,15}_' order by 1`.execute(registry)
  return rows
}

/** Drops tables, all or none; false if any is in use. */
async function dropTables(registry: Registry, schema: string, names: readonly string[]): Promise<boolean> {
  if (names.length === 0) return true
  try {
    await registry.transaction().execute(async transaction => {
      await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(transaction)
      const tables = sql.join(names.map(name => sql.id(schema, name)))
      await sql`drop table ${tables}`.execute(transaction)
    })
    return true
  } catch (error) {
    if (error instanceof Error && sqlState(error.cause) === LOCK_NOT_AVAILABLE) return false
    throw error
  }
}

const LOCK_NOT_AVAILABLE = '55P03'
