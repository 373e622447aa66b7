import { sql } from 'kysely'
import type { Client } from 'pg'
import type { TableLayout } from '../../query/layout.ts'
import { unescapeText } from '../encoding/escape-text.ts'
import { DEFAULT_TABLES, type Migrated, type MigrateOptions, type TableOptions } from '../engine.ts'
import type { Target } from '../postgres/connect/address.ts'
import { connectAlone } from '../postgres/connect/connections.ts'
import { toReadError, toStoreError } from '../postgres/connect/faults.ts'
import { lockKey, MIGRATING } from '../postgres/coordinate/locks.ts'
import { MIGRATIONS, PIECES, prepareSchema, readVersion } from '../postgres/schema.ts'
import { dropEarlierTables, releaseTables } from '../postgres/write/release-tables.ts'
import { openReleaseWriter } from '../postgres/write/release-writer.ts'
import type { Registry } from '../registry/tables.ts'
import type { ReleaseWriter } from '../registry/writer.ts'
import type { StoredDataset } from '../store.ts'
import {
  EARLIER_VERSION,
  type EarlierStore,
  earlierReleases,
  parseRecord,
  recordOf,
  refuseUntaken,
  takeOver,
} from './take-over.ts'

/** Creates the store of a schema, or takes over that of an earlier version. */
export function migrate(
  target: Target,
  datasets: readonly StoredDataset[],
  { tables = DEFAULT_TABLES, onPhase = () => {}, ...options }: MigrateOptions,
): Promise<Migrated> {
  const to = MIGRATIONS.length
  return withClient(target, async client => {
    const { version } = await readVersion(client, target)
    if (version === 0) await prepareSchema(target)
    if (version === 0 || version === to) return { from: version, to, releases: [] }
    return withWriter(target, options, tables, async ({ registry, startRelease, write }) => {
      // Another process may have taken it over while this one waited.
      const { version: from, isOld } = await readVersion(client, target)
      if (from === to) return { from, to, releases: [] }
      if (isOld) await client.query(`set search_path = "${target.schema}"; ${PIECES}`)
      const store: EarlierStore = {
        registry,
        isOpenable: !isOld,
        records: recordsIn(client, target),
        startRelease,
        write: work =>
          write(async transaction => {
            if (isOld) await addFiles(transaction, target.schema)
            await work(transaction)
          }),
      }
      const releases = await earlierReleases(registry, !isOld)
      return { from, to, releases: await takeOver(store, releases, datasets, onPhase) }
    })
  })
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

/** Makes the schema one that only this version opens, and drops the tables of the earlier form. */
export function finishMigration(target: Target, datasets: readonly StoredDataset[]): Promise<boolean> {
  const { schema } = target
  return withClient(target, async client => {
    await prepareSchema(target, { mustExist: true })
    return withWriter(target, {}, DEFAULT_TABLES, async ({ registry }) => {
      const { version } = await readVersion(client, target)
      const isUnfinished = version < MIGRATIONS.length
      if (isUnfinished) {
        await refuseUntaken(recordsIn(client, target), await earlierReleases(registry, true), datasets)
        await client.query(`insert into "${schema}".migrations (version) values ($1)`, [MIGRATIONS.length])
      }
      return (await dropEarlierTables(registry, schema)) > 0 || isUnfinished
    })
  })
}

async function withWriter<T>(
  target: Target,
  options: Pick<MigrateOptions, 'waitMs' | 'onWait'>,
  tables: TableOptions,
  work: (writer: ReleaseWriter) => Promise<T>,
): Promise<T> {
  const once = <U>(transaction: () => Promise<U>) => transaction()
  const writer = await openReleaseWriter(target, once, options, tables)
  try {
    return await work(writer)
  } finally {
    await writer.unlock()
  }
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

/** Rows read by one statement. */
const BATCH = 2000

const recordsIn = (client: Client, target: Target): EarlierStore['records'] =>
  async function* read({ locator }, layout) {
    const { named } = releaseTables(target.schema, locator)
    const table = named(layout.kind === 'table' ? 'rows' : 'documents')
    try {
      const words = layout.kind === 'table' ? await wordsIn(client, layout, named) : new Map()
      for (let after = 0; ; after += BATCH) {
        const { rows } = await client.query<Record<string, unknown>>(
          `select * from ${table} where position between $1 and $2 order by position`,
          [after + 1, after + BATCH],
        )
        if (rows.length === 0) return
        for (const row of rows)
          yield layout.kind === 'table' ? recordOf(layout, row, words) : parseRecord(String(row.content))
      }
    } catch (error) {
      throw toReadError(error, target)
    }
  }

async function wordsIn(client: Client, { columns }: TableLayout, named: (part: string) => string) {
  const words = new Map<string, ReadonlyMap<number, string>>()
  for (const { name } of columns.filter(({ type }) => type === 'word')) {
    const { rows } = await client.query<{ id: number; value: string }>(
      `select id, value from ${named(`words_${name}`)}`,
    )
    words.set(name, new Map(rows.map(({ id, value }) => [id, unescapeText(value)])))
  }
  return words
}
