import { sql } from 'kysely'
import { addedTables, developmentStore, firstTables, incompleteStore, SCHEMA } from '../registry/schema.ts'
import type { Registry } from '../registry/tables.ts'
import { NoStoreError, StoreUnusableError } from '../store.ts'
import type { Target } from './connect/address.ts'
import { sqlState } from './connect/faults.ts'
import { withSession } from './connect/session.ts'
import { lockIn, MIGRATING } from './coordination.ts'

/** All leases by name, each with its holder, expiry and message. */
const LEASES = `
create table leases (
  name text primary key, holder text, until timestamptz not null, number bigint not null, message text,
  published_at timestamptz
);
insert into leases (name, until, number) values ('feed', '-infinity', 0), ('sources', '-infinity', 0);
`

/** The files of releases, in pieces. Stored uncompressed, because the files hardly compress. */
const PIECES = `
create table release_pieces (
  name text collate "C" not null, piece integer not null, bytes bytea not null, primary key (name, piece)
);
alter table release_pieces alter column bytes set storage external;
`

const KEY = 'integer generated always as identity primary key'
const DIALECT = { prefix: '', text: 'text collate "C"', assignedKey: KEY, clustered: '' }

const ADDED: Readonly<Record<string, string>> = addedTables(DIALECT)

/**
 * Creates the schema of a database unless `mustExist`, or adds its missing tables. Safe to run from several instances at the same
 * time. Throws {@link NoStoreError} and {@link StoreUnusableError}.
 */
export function prepareSchema(target: Target, mustExist = false): Promise<void> {
  return withSession(target, async ({ registry }) => {
    const { isNew, missing } = await readSchema(registry, target)
    if (isNew && mustExist)
      throw new NoStoreError(
        `there is no store in ${target.shown}: \`pds import <dataset> <file>\` or \`pds demo\` makes one`,
      )
    if (missing.length === 0) return
    try {
      await registry.transaction().execute(transaction => completeSchema(transaction, target))
    } catch (error) {
      const isDenied = error instanceof Error && sqlState(error.cause) === INSUFFICIENT_PRIVILEGE
      throw isDenied && !isNew ? incompleteStore(nameOf(target), missing) : error
    }
  })
}

const INSUFFICIENT_PRIVILEGE = '42501'

/** Creates the schema or its missing tables, unless another instance has just done so. */
async function completeSchema(transaction: Registry, target: Target): Promise<void> {
  const { schema } = target
  await lockIn(transaction, MIGRATING, schema)
  const { isNew, missing } = await readSchema(transaction, target)
  if (isNew) {
    const { rows } = await sql`select 1 from pg_catalog.pg_namespace where nspname = ${schema}`.execute(
      transaction,
    )
    // A user without the right to create schemas can use an existing one.
    if (rows.length === 0) await sql`create schema ${sql.id(schema)}`.execute(transaction)
  }
  // The text of the steps does not name the schema.
  await sql`set local search_path = ${sql.id(schema)}`.execute(transaction)
  if (isNew) {
    await sql`create table migrations (
      version integer primary key, applied_at timestamptz not null default now())`.execute(transaction)
    await sql.raw(`${firstTables(DIALECT)}${LEASES}${PIECES}`).execute(transaction)
    await sql`insert into migrations (version) values (${SCHEMA})`.execute(transaction)
  }
  for (const name of missing) await sql.raw(ADDED[name] ?? '').execute(transaction)
}

const nameOf = ({ schema, shown }: Target) => `the schema ${schema} of ${shown}`

/** Whether there is no schema yet, and which tables it lacks. Throws {@link StoreUnusableError} unless it is usable. */
async function readSchema(
  registry: Registry,
  target: Target,
): Promise<{ readonly isNew: boolean; readonly missing: readonly string[] }> {
  const { schema } = target
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_catalog.pg_tables where schemaname = ${schema}`.execute(registry)
  const names = tables.rows.map(({ name }) => name)
  const missing = Object.keys(ADDED).filter(name => !names.includes(name))
  if (names.length === 0) return { isNew: true, missing }
  if (!names.includes('migrations'))
    throw new StoreUnusableError(
      `${nameOf(target)} holds another program's tables: name another schema with ?schema= in the address`,
    )
  const { rows } = await sql<{ version: number }>`
    select coalesce(max(version), 0) as version from ${sql.id(schema, 'migrations')}`.execute(registry)
  const version = rows[0]?.version ?? 0
  if (version > SCHEMA)
    throw new StoreUnusableError(
      `${nameOf(target)} was made by a newer version of the service (schema ${version}, this one knows ` +
        `${SCHEMA}): run that version, or restore a backup from before it`,
    )
  if (version < SCHEMA) throw developmentStore(nameOf(target))
  return { isNew: false, missing }
}
