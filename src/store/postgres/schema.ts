import { sql } from 'kysely'
import { RELEASE_FILES, registryMigrations } from '../registry/schema.ts'
import type { Registry } from '../registry/tables.ts'
import { NoStoreError, OldStoreError, StoreUnusableError } from '../store.ts'
import type { Target } from './connect/address.ts'
import { withSession } from './connect/session.ts'
import { lockIn, MIGRATING } from './coordination.ts'

/** The lease to poll the live feed, with its holder, expiry and message. */
const POLLER = `
create table poller (
  id integer primary key check (id = 1),
  holder text,
  until timestamptz not null,
  number bigint not null,
  message text,
  published_at timestamptz
);
insert into poller (id, until, number) values (1, '-infinity', 0);
`

/** All leases by name. Instances of the previous version use `poller` until they are replaced. */
const LEASES = `
create table leases (
  name text primary key,
  holder text,
  until timestamptz not null,
  number bigint not null,
  message text,
  published_at timestamptz
);
insert into leases (name, until, number, message, published_at)
  select 'feed', until, number, message, published_at from poller;
insert into leases (name, until, number) values ('sources', '-infinity', 0);
`

/** The files of releases, in pieces. Stored uncompressed, because the files hardly compress. */
export const PIECES = `
create table if not exists release_pieces (
  name text collate "C" not null,
  piece integer not null,
  bytes bytea not null,
  primary key (name, piece)
);
alter table release_pieces alter column bytes set storage external;
`

const [RELEASES_AND_READINGS, SOURCES_AND_BATCHES, HELD_POSITIONS = '', FILES = ''] = registryMigrations({
  prefix: '',
  text: 'text collate "C"',
  assignedKey: 'integer generated always as identity primary key',
  clustered: '',
})

/**
 * The steps that make the tables, in the first schema of the search path. Step n makes version n. Released steps never
 * change.
 */
export const MIGRATIONS: readonly string[] = [
  `${RELEASES_AND_READINGS}${POLLER}`,
  `${SOURCES_AND_BATCHES}${LEASES}`,
  HELD_POSITIONS,
  `${PIECES}${FILES}`,
]

/**
 * Creates the schema of a database if it is missing, unless `mustExist`. Safe to run from several instances at the same time.
 * Throws {@link NoStoreError}, {@link OldStoreError} and {@link StoreUnusableError}.
 */
export function prepareSchema(target: Target, mustExist = false): Promise<void> {
  return withSession(target, async ({ registry }) => {
    const { version, isOld } = await readVersion(registry, target)
    if (version === 0 && mustExist)
      throw new NoStoreError(
        `there is no store in ${target.shown}: \`pds import <dataset> <file>\` or \`pds demo\` makes one`,
      )
    if (isOld) throw new OldStoreError(`the schema ${target.schema} of ${target.shown}`)
    if (version === 0) await registry.transaction().execute(transaction => createSchema(transaction, target))
  })
}

/** Creates the schema, unless another instance has just created it. */
async function createSchema(transaction: Registry, target: Target): Promise<void> {
  const { schema } = target
  await lockIn(transaction, MIGRATING, schema)
  if ((await readVersion(transaction, target)).version !== 0) return
  const { rows } = await sql`select 1 from pg_catalog.pg_namespace where nspname = ${schema}`.execute(
    transaction,
  )
  // A user without the right to create schemas can use an existing one.
  if (rows.length === 0) await sql`create schema ${sql.id(schema)}`.execute(transaction)
  await sql`create table ${sql.id(schema, 'migrations')} (
    version integer primary key, applied_at timestamptz not null default now())`.execute(transaction)
  await migrateSchema(transaction, schema, 0, MIGRATIONS.length)
}

/** Takes a schema from one version to another, in the caller's transaction. */
export async function migrateSchema(
  transaction: Registry,
  schema: string,
  from: number,
  to: number,
): Promise<void> {
  // The text of the steps does not name the schema.
  await sql`set local search_path = ${sql.id(schema)}`.execute(transaction)
  for (const [version, step] of MIGRATIONS.slice(0, to).entries()) {
    if (version < from) continue
    await sql.raw(step).execute(transaction)
    await sql`insert into migrations (version) values (${version + 1})`.execute(transaction)
  }
}

interface SchemaVersion {
  /** 0 if there is no schema. */
  readonly version: number
  /**
   * Whether only `pds migrate` can open the schema, because it has no table of release files. If the table was added to a
   * schema of the previous version, that version can still open it, too.
   */
  readonly isOld: boolean
}

/** Reads the version of the schema. Throws {@link StoreUnusableError} unless it is usable. */
export async function readVersion(registry: Registry, { schema, shown }: Target): Promise<SchemaVersion> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_catalog.pg_tables where schemaname = ${schema}`.execute(registry)
  const names = tables.rows.map(({ name }) => name)
  if (names.length === 0) return { version: 0, isOld: false }
  if (!names.includes('migrations'))
    throw new StoreUnusableError(
      `the schema ${schema} of ${shown} holds another program's tables: name another schema with ?schema= in the address`,
    )
  const { rows } = await sql<{ version: number }>`
    select coalesce(max(version), 0) as version from ${sql.id(schema, 'migrations')}`.execute(registry)
  const version = rows[0]?.version ?? 0
  if (version > MIGRATIONS.length)
    throw new StoreUnusableError(
      `the schema ${schema} of ${shown} was made by a newer version of the service (schema ${version}, this one knows ` +
        `${MIGRATIONS.length}): run that version, or restore a backup from before it`,
    )
  return { version, isOld: !names.includes(RELEASE_FILES) }
}
