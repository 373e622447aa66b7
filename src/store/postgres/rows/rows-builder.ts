import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { checkLayout, recordCheck, type TableLayout } from '../../../query/layout.ts'
import { type Measured, measureWithDigests } from '../../encoding/digests.ts'
import type { ReleaseBuilder } from '../../registry/writer.ts'
import { inPieces } from '../../releases/file-builder.ts'
import type { Target } from '../connect/address.ts'
import { sqlState } from '../connect/faults.ts'
import { type Session, withSession } from '../connect/session.ts'
import { filesIn, newId } from '../pieces.ts'
import { dropTables } from '../release-tables.ts'
import { declarations, foldedName, recordEncoder, storedNames } from './stored-columns.ts'

/** Characters of rows in one insertion. */
const BATCH = 1 << 18
const CANCEL_EVERY_MS = 50

/** Starts the table of a release over the connection of the write lock. No one else knows the table's name. */
export async function startRows(
  target: Target,
  { client, registry }: Session,
  layout: TableLayout,
): Promise<ReleaseBuilder> {
  checkLayout(layout)
  const { schema } = target
  const id = newId()
  const digestFile = filesIn(registry, id)
  const [staging, table] = [`"${schema}".r${id}_staging`, `"${schema}".r${id}_rows`]
  const check = recordCheck(layout)
  const encode = recordEncoder(layout)
  await raiseSettings(client)
  // The staging table is needed only during the import. A crash may lose it, and a vacuum would be wasted.
  await client.query(
    `create unlogged table ${staging} (position bigint not null, ${declarations(layout).join(', ')})
      with (autovacuum_enabled = off)`,
  )
  let rows = 0
  /** Rows waiting to be inserted, as JSON. */
  let waiting = ''
  /** The last insertion. Each insertion waits for the one before. */
  let inserting: Promise<void> = Promise.resolve()
  let working: Promise<void> | undefined
  const measured = measureWithDigests()
  let sealed: Measured | undefined

  /** Notes running work, so that {@link ReleaseBuilder.remove} can cancel it. */
  function noting<T>(work: Promise<T>): Promise<T> {
    const ended = () => {
      if (working === noted) working = undefined
    }
    const noted = work.then(ended, ended)
    working = noted
    return work
  }

  function insert(): Promise<void> {
    const text = `[${waiting}]`
    waiting = ''
    const insertion = `insert into ${staging} select * from json_populate_recordset(null::${staging}, $1::json)`
    inserting = noting(inserting.then(async () => void (await client.query(insertion, [text]))))
    return inserting
  }

  async function seal(onPhase: (phase: string) => void): Promise<Measured> {
    await insert()
    onPhase('sorting')
    await client.query(`analyze ${staging}`)
    await fill(client, table, inServedOrder(layout, staging))
    await client.query(`drop table ${staging}`)
    onPhase('indexing')
    await client.query(`create unique index on ${table} (position) ${FULL}`)
    for (const index of indexes(layout, table, await trigramOperators(client)))
      await client.query(index).catch(unlessTooLong)
    onPhase('vacuuming')
    // Also sets the visibility map, which index-only scans need. Once is enough, because the rows never change.
    await client.query(`vacuum (freeze, analyze) ${table}`)
    sealed = measured.end()
    return sealed
  }

  return {
    append(key, record, content) {
      check(record)
      const row = JSON.stringify({ position: rows + 1, ...encode(record) })
      measured.add(key, content)
      rows++
      waiting += waiting === '' ? row : `,${row}`
      if (waiting.length < BATCH) return undefined
      // The next rows are read while the server inserts these.
      const before = inserting
      insert().catch(() => undefined)
      return before
    },
    seal: onPhase => noting(seal(onPhase)),
    // The table is already in its place; the registry makes it a release.
    async place(number) {
      if (sealed === undefined) throw new Error('only a sealed release can be placed')
      await digestFile.put(number, '', inPieces([sealed.digests]))
      return { name: id, bytes: null, sha256: null }
    },
    async remove() {
      // Repeated, because a cancellation between two statements has no effect.
      while (working !== undefined) {
        await cancelStatement(target, client)
        await Promise.race([working, pause(CANCEL_EVERY_MS)])
      }
      await dropTables(registry, schema, other => other === id)
      await digestFile.remove(id)
    },
  }
}

/** Selects the rows in served order, numbered. */
function inServedOrder({ columns, newestFirstBy }: TableLayout, from: string): string {
  const order = `"${newestFirstBy}" desc nulls last, position`
  const names = columns.flatMap(storedNames).map(name => `"${name}"`)
  return `select row_number() over (order by ${order}) as position, ${names.join(', ')} from ${from} order by ${order}`
}

/**
 * Creates a table of the selected rows. With Citus, the table is distributed while it is empty. A statement may wait for
 * every shard, so each worker gets two shards: with Citus's default of 32, a page takes up to 160 ms. Without Citus, `create
 * table as` writes the rows, because inserting a million rows takes a second longer.
 */
async function fill(client: Client, table: string, rows: string): Promise<void> {
  const workers = await citusWorkers(client)
  if (workers === 0) return void (await client.query(`create table ${table} as ${rows}`))
  await client.query(`create table ${table} as ${rows} with no data`)
  await client.query(
    "select create_distributed_table($1, 'position', shard_count => $2, colocate_with => 'none')",
    [table, SHARDS_A_WORKER * workers],
  )
  await client.query(`insert into ${table} ${rows}`)
}

const SHARDS_A_WORKER = 2

/** Returns the number of active workers of Citus; 0 without the extension. */
async function citusWorkers(client: Client): Promise<number> {
  const { rows: installed } = await client.query(
    "select 1 from pg_catalog.pg_extension where extname = 'citus'",
  )
  if (installed.length === 0) return 0
  const { rows } = await client.query<{ n: number }>(
    'select count(*) as n from citus_get_active_worker_nodes()',
  )
  return Number(rows[0]?.n)
}

/**
 * The day that orders the rows is indexed in the same order. Indexes of days include the words, so that counting words in a
 * range of days reads no row. Texts are found by the trigrams of their folded text. The B-tree of a folded text has the other
 * texts as further columns, so that counting the rows of several texts reads no row. Rows never change, so pages are full.
 */
function indexes(
  { columns, newestFirstBy }: TableLayout,
  table: string,
  trigrams: string | undefined,
): string[] {
  const words = columns.filter(({ type }) => type === 'word').map(({ name }) => name)
  const listed = (names: readonly string[]) => names.map(name => `"${name}"`).join(', ')
  const beside = words.length === 0 ? '' : `include (${listed(words)})`
  return columns.flatMap(({ name, type }) => {
    const on = `create index on ${table}`
    if (name === newestFirstBy) return `${on} ("${name}" desc nulls last, position) ${beside} ${FULL}`
    if (type !== 'word') return `${on} ("${name}") ${type === 'day' ? beside : ''} ${FULL}`
    const folded = [name, ...words.filter(word => word !== name)].map(foldedName)
    return [
      `${on} (${listed(folded)}) ${FULL}`,
      ...(trigrams === undefined ? [] : [`${on} using gin (${listed(folded.slice(0, 1))} ${trigrams})`]),
    ]
  })
}

const FULL = 'with (fillfactor = 100)'

/** A B-tree has no room for a text of some thousand bytes. Without this index, the rows are scanned. */
function unlessTooLong(error: unknown): void {
  if (sqlState(error) !== PROGRAM_LIMIT_EXCEEDED) throw error
}

const PROGRAM_LIMIT_EXCEEDED = '54000'

/** Returns the operators of `pg_trgm`, creating the extension if the user may; undefined without the extension. */
async function trigramOperators(client: Client): Promise<string | undefined> {
  await client.query('create extension if not exists pg_trgm').catch(() => undefined)
  const { rows } = await client.query<{ schema: string }>(`
    select quote_ident(nspname) as schema from pg_catalog.pg_extension
      join pg_catalog.pg_namespace as schemas on schemas.oid = extnamespace where extname = 'pg_trgm'`)
  return rows[0] && `${rows[0].schema}.gin_trgm_ops`
}

/**
 * Raises settings of the session that writes a release; a larger setting of the server stays. Sorting in memory is several
 * times faster, and only one import runs at a time. Servers from version 14 on check the connection periodically, which ends
 * a long statement of a killed import.
 */
async function raiseSettings(client: Client): Promise<void> {
  for (const [name, value] of [
    ['work_mem', 128 * KIB_A_MIB],
    ['maintenance_work_mem', 512 * KIB_A_MIB],
    ['client_connection_check_interval', 2000],
  ])
    await client.query(
      `select set_config(name, $2, false) from pg_catalog.pg_settings
        where case name when $1 then setting::bigint < $2::bigint end`,
      [name, value],
    )
}

/** The server's units: KiB for memory, milliseconds for time. */
const KIB_A_MIB = 1024

/** Cancels the running statement of a connection. If no other connection can be opened, the statement continues. */
async function cancelStatement(target: Target, client: Client): Promise<void> {
  // The cast selects PostgreSQL's function: Citus has another with this name.
  await withSession(target, other =>
    other.client.query('select pg_cancel_backend($1::integer)', [client.processID]),
  ).catch(() => undefined)
}
