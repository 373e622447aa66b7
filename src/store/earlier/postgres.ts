import { sql } from 'kysely'
import { DEFAULT_TABLES } from '../engine.ts'
import { readAddress, type Target } from '../postgres/connect/address.ts'
import { type Session, withSession } from '../postgres/connect/session.ts'
import { lockIn, MIGRATING } from '../postgres/coordination.ts'
import { dropEarlierTables } from '../postgres/release-tables.ts'
import { openReleaseWriter } from '../postgres/release-writer.ts'
import { MIGRATIONS, migrateSchema, PIECES, prepareSchema, readVersion } from '../postgres/schema.ts'
import type { Registry } from '../registry/tables.ts'
import type { StoredDataset } from '../store.ts'
import {
  EARLIER_VERSION,
  type EarlierStore,
  finish,
  type Migrated,
  type MigrateOptions,
  takeOver,
} from './take-over.ts'

/** Creates the store of a schema, or takes over the store of an earlier version. */
export function migrate(
  address: string,
  datasets: readonly StoredDataset[],
  options: MigrateOptions,
): Promise<Migrated> {
  const target = readAddress(address)
  const to = MIGRATIONS.length
  return withSession(target, async session => {
    const { version } = await readVersion(session.registry, target)
    if (version === 0) await prepareSchema(target)
    if (version === 0 || version === to) return { from: version, to, releases: [] }
    return withStore(target, session, options, async store => {
      if (!store.isOpenable)
        await sql.raw(`set search_path = "${target.schema}"; ${PIECES}`).execute(session.registry)
      return takeOver(store, datasets, options.onPhase)
    })
  })
}

/** Raises the version of the schema, which only this version then opens, and drops the tables of the earlier form. */
export function finishMigration(address: string, datasets: readonly StoredDataset[]): Promise<boolean> {
  const target = readAddress(address)
  return withSession(target, async session => {
    await prepareSchema(target, true)
    return withStore(target, session, {}, store => finish(store, datasets))
  })
}

async function withStore<T>(
  target: Target,
  { content }: Session,
  { tables = DEFAULT_TABLES, ...options }: MigrateOptions,
  work: (store: EarlierStore) => Promise<T>,
): Promise<T> {
  const { schema } = target
  const { registry, startRelease, write, unlock } = await openReleaseWriter(target, options, tables)
  try {
    // Another process may have taken the store over while this one waited.
    const { version, isOld } = await readVersion(registry, target)
    return await work({
      registry,
      version,
      newest: MIGRATIONS.length,
      isOpenable: !isOld,
      startRelease,
      open: async ({ locator }) => ({
        database: content,
        table: part => sql.id(schema, `r${locator}_${part}`),
        close: async () => {},
      }),
      write: enter =>
        write(async transaction => {
          if (isOld) await addFiles(transaction, target)
          await enter(transaction)
        }),
      async raiseVersion() {
        const migrations = sql.id(schema, 'migrations')
        await sql`insert into ${migrations} (version) values (${MIGRATIONS.length})`.execute(registry)
      },
      removeContent: () => dropEarlierTables(registry, schema),
    })
  } finally {
    await unlock()
  }
}

/** Brings a schema to the last version of the earlier form, and adds the tables of the new form. */
async function addFiles(transaction: Registry, target: Target): Promise<void> {
  const { schema } = target
  // An instance of the earlier version may be starting.
  await lockIn(transaction, MIGRATING, schema)
  const { version } = await readVersion(transaction, target)
  await migrateSchema(transaction, schema, version, EARLIER_VERSION)
  await sql.raw(MIGRATIONS[EARLIER_VERSION] ?? '').execute(transaction)
}
