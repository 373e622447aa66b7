import type { Client } from 'pg'
import type { StoreOptions } from '../engine.ts'
import { RELEASE_FILES, registryMigrations } from '../registry/schema.ts'
import { NoStoreError, OldStoreError, StoreUnusableError } from '../store.ts'
import type { Target } from './connect/address.ts'
import { connectAlone } from './connect/connections.ts'
import { toStoreError } from './connect/faults.ts'
import { lockKey, MIGRATING } from './coordinate/locks.ts'

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

/** All leases by name. Instances of the version before go on with `poller` while they are replaced. */
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

/** The files of releases, in pieces: as they are, since they hold little that could be compressed. */
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
 * The schema, step by step, in the first schema of the search path; step n makes version n of it. Released steps never
 * change.
 */
export const MIGRATIONS: readonly string[] = [
  `${RELEASES_AND_READINGS}${POLLER}`,
  `${SOURCES_AND_BATCHES}${LEASES}`,
  HELD_POSITIONS,
  `${PIECES}${FILES}`,
]

/**
 * Creates the schema of a database if there is none, unless `mustExist`. Safe to run from any number of instances at once. Throws
 * {@link NoStoreError}, {@link OldStoreError} and {@link StoreUnusableError}.
 */
export async function prepareSchema(
  target: Target,
  { mustExist = false }: Pick<StoreOptions, 'mustExist'> = {},
): Promise<void> {
  const client = await connectAlone(target).catch((error: unknown) => {
    throw toStoreError(error, target)
  })
  try {
    const { version, isOld } = await readVersion(client, target)
    if (version === 0 && mustExist)
      throw new NoStoreError(
        `there is no store in ${target.shown}: \`pds import <dataset> <file>\` or \`pds demo\` makes one`,
      )
    if (isOld) throw new OldStoreError(`the schema ${target.schema} of ${target.shown}`)
    if (version === 0) await createSchema(client, target)
  } catch (error) {
    throw toStoreError(error, target)
  } finally {
    await client.end()
  }
}

/** Creates the schema, unless another instance has done so meanwhile, whole or not at all. */
async function createSchema(client: Client, target: Target): Promise<void> {
  const { schema } = target
  await client.query('begin')
  try {
    await client.query('select pg_advisory_xact_lock($1, $2)', lockKey(MIGRATING, schema))
    if ((await readVersion(client, target)).version === 0) {
      await makeSchema(client, schema)
      await client.query(`set local search_path = "${schema}"; ${MIGRATIONS.join('')}`)
      for (const at of MIGRATIONS.keys())
        await client.query('insert into migrations (version) values ($1)', [at + 1])
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** A user without the right to create schemas can use an existing one. */
async function makeSchema(client: Client, schema: string): Promise<void> {
  const { rows } = await client.query('select to_regnamespace($1) is null as missing', [schema])
  if (rows[0]?.missing) await client.query(`create schema "${schema}"`)
  await client.query(`
    create table "${schema}".migrations (version integer primary key, applied_at timestamptz not null default now())`)
}

export interface SchemaVersion {
  /** 0 if there is none. */
  readonly version: number
  /**
   * Whether only `pds migrate` can open it: it has no table of release files. Where the table was added to a schema of the version
   * before, that version can still open it.
   */
  readonly isOld: boolean
}

/** Reads the version of the schema. Throws {@link StoreUnusableError} unless it is usable. */
export async function readVersion(client: Client, { schema, shown }: Target): Promise<SchemaVersion> {
  const found = await client.query<{ names: string[] }>(
    `select coalesce(json_agg(tablename), '[]') as names from pg_catalog.pg_tables where schemaname = $1`,
    [schema],
  )
  const { names = [] } = found.rows[0] ?? {}
  if (names.length === 0) return { version: 0, isOld: false }
  if (!names.includes('migrations'))
    throw new StoreUnusableError(
      `the schema ${schema} of ${shown} holds another program's tables: name another by ?schema= in the address`,
    )
  const { rows } = await client.query<{ version: number }>(
    `select coalesce(max(version), 0) as version from "${schema}".migrations`,
  )
  const version = rows[0]?.version ?? 0
  if (version > MIGRATIONS.length)
    throw new StoreUnusableError(
      `the schema ${schema} of ${shown} was made by a newer version of the service (schema ${version}, this one knows ` +
        `${MIGRATIONS.length}): run that version, or restore a backup from before it`,
    )
  return { version, isOld: !names.includes(RELEASE_FILES) }
}
