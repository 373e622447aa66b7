import { sql } from 'kysely'
import { forgetRetired } from '../registry/releases.ts'
import type { Registry } from '../registry/tables.ts'
import { sqlState } from './connect/faults.ts'
import { removeUnknownPieces } from './pieces.ts'

/** The table with the rows of a release. */
export const rowsOf = (schema: string, id: string) => sql.id(schema, `r${id}_rows`)

/** A table in use is left to the next sweep. */
const LOCK_TIMEOUT_MS = 1000
/** A hanging Citus worker must not keep imports from the write lock. */
const DROP_TIMEOUT_MS = 10_000

/**
 * Removes the files and tables of unfinished imports and of releases that were pruned long enough ago. Resolves to the number
 * removed. The caller holds the write lock, so no import is running.
 */
export async function dropLeftovers(registry: Registry, schema: string): Promise<number> {
  await forgetRetired(registry)
  const kept = await registry.selectFrom('release_files').select('name').execute()
  const names = new Set(kept.map(({ name }) => name))
  const files = await removeUnknownPieces(registry)
  return files + (await dropTables(registry, schema, id => !names.has(id)))
}

/** Drops the tables of releases with these ids, except for tables in use. Resolves to the number dropped. */
export async function dropTables(
  registry: Registry,
  schema: string,
  isOf: (id: string) => boolean,
): Promise<number> {
  const { rows } = await sql<{ id: string; table: string }>`
    select substring(tablename from '^r([0-9]{1,20})_') as id, tablename as table
    from pg_catalog.pg_tables where schemaname = ${schema} and tablename ~ '^r[0-9]{1,20}_'
    order by 1`.execute(registry)
  let dropped = 0
  for (const { id, table } of rows) if (isOf(id) && (await dropTable(registry, schema, table))) dropped++
  return dropped
}

/** Drops a table; false if it is in use. */
async function dropTable(registry: Registry, schema: string, table: string): Promise<boolean> {
  try {
    await registry.transaction().execute(async transaction => {
      await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(transaction)
      await sql`set local statement_timeout = ${sql.lit(DROP_TIMEOUT_MS)}`.execute(transaction)
      await sql`drop table ${sql.id(schema, table)}`.execute(transaction)
    })
    return true
  } catch (error) {
    if (error instanceof Error && sqlState(error.cause) === LOCK_NOT_AVAILABLE) return false
    throw error
  }
}

const LOCK_NOT_AVAILABLE = '55P03'
