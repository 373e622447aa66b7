import { sql } from 'kysely'
import type { Client } from 'pg'
import { DEFAULT_TABLES, type Migrated, type MigrateOptions } from '../engine.ts'
import { readAddress, type Target } from '../postgres/connect/address.ts'
import { connectAlone } from '../postgres/connect/connections.ts'
import { kyselyOver, singleConnection } from '../postgres/connect/dialect.ts'
import { toReadError, toStoreError } from '../postgres/connect/faults.ts'
import { lockKey, MIGRATING } from '../postgres/coordinate/locks.ts'
import { MIGRATIONS, PIECES, prepareSchema, readVersion } from '../postgres/schema.ts'
import { dropEarlierTables } from '../postgres/write/release-tables.ts'
import { openReleaseWriter } from '../postgres/write/release-writer.ts'
import type { Registry } from '../registry/tables.ts'
import type { StoredDataset } from '../store.ts'
import { EARLIER_VERSION, type EarlierStore, finish, takeOver } from './take-over.ts'

/** Creates the store of a schema, or takes over that of an earlier version. */
export function migrate(
  address: string,
  datasets: readonly StoredDataset[],
  options: MigrateOptions,
): Promise<Migrated> {
  const target = readAddress(address)
  const to = MIGRATIONS.length
  return withClient(target, async client => {
    const { version } = await readVersion(client, target)
    if (version === 0) await prepareSchema(target)
    if (version === 0 || version === to) return { from: version, to, releases: [] }
    return withStore(target, client, options, async (store, isOld) => {
      if (isOld) await client.query(`set search_path = "${target.schema}"; ${PIECES}`)
      return takeOver(store, datasets, options.onPhase)
    })
  })
}

/** Makes the schema one that only this version opens, and drops the tables of the earlier form. */
export function finishMigration(address: string, datasets: readonly StoredDataset[]): Promise<boolean> {
  const target = readAddress(address)
  return withClient(target, async client => {
    await prepareSchema(target, { mustExist: true })
    return withStore(target, client, {}, store => finish(store, datasets))
  })
}

async function withClient<T>(target: Target, work: (client: Client) => Promise<T>): Promise<T> {
  const connecting = connectAlone(target)
  try {
    return await work(await connecting)
  } catch (error) {
    throw toStoreError(error, target)
  } finally {
    await connecting.then(client => client.end()).catch(() => undefined)
  }
}

async function withStore<T>(
  target: Target,
  client: Client,
  { tables = DEFAULT_TABLES, ...options }: MigrateOptions,
  work: (store: EarlierStore, isOld: boolean) => Promise<T>,
): Promise<T> {
  const { schema } = target
  const once = <U>(transaction: () => Promise<U>) => transaction()
  const { registry, startRelease, write, unlock } = await openReleaseWriter(target, once, options, tables)
  const toError = (error: unknown) => toReadError(error, target)
  const database = kyselyOver<Record<string, Record<string, unknown>>>(singleConnection(client), toError)
  try {
    // Another process may have taken it over while this one waited.
    const { version, isOld } = await readVersion(client, target)
    const store: EarlierStore = {
      ...{ registry, version, newest: MIGRATIONS.length, isOpenable: !isOld, startRelease },
      open: async ({ locator }) => ({
        ...{ database: database.withSchema(schema), prefix: `r${locator}_` },
        close: async () => {},
      }),
      write: enter =>
        write(async transaction => {
          if (isOld) await addFiles(transaction, schema)
          await enter(transaction)
        }),
      async raiseVersion() {
        await client.query(`insert into "${schema}".migrations (version) values ($1)`, [MIGRATIONS.length])
      },
      removeContent: () => dropEarlierTables(registry, schema),
    }
    return await work(store, isOld)
  } finally {
    await unlock()
  }
}

/** Brings a schema to the last version of the earlier form, and adds the tables of this version's. */
async function addFiles(transaction: Registry, schema: string): Promise<void> {
  const [kind, hash] = lockKey(MIGRATING, schema)
  // An instance of the earlier version may be starting.
  await sql`select pg_advisory_xact_lock(${kind}, ${hash})`.execute(transaction)
  // The text of the steps has no place for the schema's name.
  await sql`set local search_path = ${sql.id(schema)}`.execute(transaction)
  const { rows } = await sql<{ version: number }>`select max(version) as version from migrations`.execute(
    transaction,
  )
  for (let version = Number(rows[0]?.version); version < EARLIER_VERSION; version++) {
    await sql.raw(MIGRATIONS[version] ?? '').execute(transaction)
    await sql`insert into migrations (version) values (${version + 1})`.execute(transaction)
  }
  await sql.raw(MIGRATIONS[EARLIER_VERSION] ?? '').execute(transaction)
}
