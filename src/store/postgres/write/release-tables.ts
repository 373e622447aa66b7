import { type RawBuilder, sql } from 'kysely'
import { forgetRetired, ofRelease } from '../../registry/releases.ts'
import type { Registry } from '../../registry/tables.ts'
import { sqlState } from '../connect/faults.ts'
import { removeUnknownPieces } from '../pieces.ts'

/** The names of a release's tables. */
export interface ReleaseTables {
  name(part: string): string
  /** With the schema, quoted, for the text of a statement. */
  named(part: string): string
  /** For a statement of Kysely. */
  table(part: string): RawBuilder<unknown>
}

/** Returns the names of a release's tables. Parts are plain: the layout's declaration was checked. */
export function releaseTables(schema: string, id: string): ReleaseTables {
  const name = (part: string) => `r${id}_${part}`
  return {
    name,
    named: part => `"${schema}"."${name(part)}"`,
    table: part => sql.id(schema, name(part)),
  }
}

/**
 * A pruned release keeps its tables this long: a cursor reads it for an hour at most, a query on a standby for less.
 */
const RETIRED_MS = 70 * 60_000
/** A table in use is left to the next sweep. */
const LOCK_TIMEOUT_MS = 1000
/** A worker of Citus that hangs must not keep imports from the write lock. */
const DROP_TIMEOUT_MS = 10_000

/**
 * Removes the files and tables of releases that were pruned long enough ago, and of unfinished imports; resolves to their number.
 * The caller holds the write lock, so no import is running.
 */
export async function dropLeftovers(registry: Registry, schema: string): Promise<number> {
  await forgetRetired(registry, Date.now() - RETIRED_MS)
  // An earlier version, which can still open the store, has its tables by locator.
  const earlier = await registry.selectFrom('releases').select('locator as id').execute()
  const files = await registry.selectFrom('release_files').select('name as id').execute()
  const pieces = await removeUnknownPieces(registry)
  const kept = new Set([...earlier, ...files].map(({ id }) => id))
  return pieces + (await dropOthers(registry, schema, kept))
}

/** Drops the tables that no release has its records in; resolves to their number. The caller holds the write lock. */
export async function dropEarlierTables(registry: Registry, schema: string): Promise<number> {
  const files = await registry.selectFrom('release_files').select('name').execute()
  return dropOthers(registry, schema, new Set(files.map(({ name }) => name)))
}

async function dropOthers(registry: Registry, schema: string, kept: ReadonlySet<string>): Promise<number> {
  let dropped = 0
  for (const [id, names] of await tablesOfReleases(registry, schema))
    if (!kept.has(id) && (await dropTables(registry, schema, names))) dropped += names.length
  return dropped
}

/** Drops the tables of an unpublished release. */
export async function dropRelease(registry: Registry, schema: string, id: string): Promise<void> {
  const tables = await tablesOfReleases(registry, schema)
  await dropTables(registry, schema, tables.get(id) ?? [])
}

/** Keeps the tables of all published releases from being dropped before the end of the caller's transaction. */
export async function lockReleases(registry: Registry, schema: string): Promise<void> {
  const files = await registry
    .selectFrom('releases')
    .innerJoin('release_files as files', join => join.on(ofRelease))
    .where('retired_at', 'is', null)
    .select('files.name')
    .execute()
  const tables = await tablesOfReleases(registry, schema)
  const names = files.flatMap(({ name }) => tables.get(name) ?? [])
  if (names.length > 0)
    await sql`lock table ${sql.join(names.map(name => sql.id(schema, name)))} in access share mode`.execute(
      registry,
    )
}

async function tablesOfReleases(registry: Registry, schema: string): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ id: string; names: string[] }>`
    select substring(tablename from '^r([0-9]{1,20})_') as id, array_agg(tablename::text) as names
    from pg_catalog.pg_tables where schemaname = ${schema} and tablename ~ '^r[0-9]{1,20}_'
    group by 1 order by 1`.execute(registry)
  return new Map(rows.map(({ id, names }) => [id, names]))
}

/** Drops tables, all or none; false if any is in use. */
async function dropTables(registry: Registry, schema: string, names: readonly string[]): Promise<boolean> {
  if (names.length === 0) return true
  try {
    await registry.transaction().execute(async transaction => {
      await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(transaction)
      await sql`set local statement_timeout = ${sql.lit(DROP_TIMEOUT_MS)}`.execute(transaction)
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
