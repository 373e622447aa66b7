import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { CellBatch, ColumnScan, RowBatch, Words } from '../../column-scan.ts'
import { unescapeText } from '../../encoding/escape-text.ts'
import type { OpenColumnScan } from '../../engine.ts'
import type { Column, TableLayout } from '../../layout.ts'
import { DamagedReleaseError, type Release, UnknownReleaseError } from '../../store.ts'
import { readAddress } from '../connect/address.ts'
import { kyselyOver } from '../connect/dialect.ts'
import { toReadError } from '../connect/faults.ts'
import { closeTopology, openTopology } from '../connect/replicas.ts'
import { sameRelease } from '../release-rows.ts'
import { type ReleaseTables, releaseTables } from '../write/release-tables.ts'
import { readRegistry } from './registry-reader.ts'
import { releaseReader } from './release-reader.ts'

/** Rows and values in one batch, which bounds memory. */
const BATCH = 4096

/** Opens the column scan of a release in a database. `readFrom` is the address of the read hosts. */
export async function openPostgresColumnScan(
  address: string,
  release: Release,
  layout: TableLayout,
  readFrom?: string | undefined,
): Promise<OpenColumnScan> {
  const target = readAddress(address)
  const topology = openTopology(target, readFrom)
  try {
    const { id } = await readRegistry(topology).ask(registry => sameRelease(registry, release))
    const database = kyselyOver<unknown>(releaseReader(topology, id), error => toReadError(error, target))
    const scan = columnScan(database, releaseTables(target.schema, id), layout)
    return { ...scan, close: () => closeTopology(topology) }
  } catch (error) {
    await closeTopology(topology)
    if (!(error instanceof UnknownReleaseError)) throw error
    const { dataset, number } = release
    throw new DamagedReleaseError(`release ${number} of ${dataset} is not in ${target.shown}`, {
      cause: error,
    })
  }
}

/** Reads a whole table; the server aggregates the cells of a batch into one array a column. */
export function columnScan(
  database: Kysely<unknown>,
  tables: ReleaseTables,
  { columns }: TableLayout,
): ColumnScan {
  return {
    words: column => readWords(database, tables.table(`words_${column}`)),
    async *rows() {
      for (let after = 0; ; after += BATCH) {
        const batch = await readBatch(database, tables.table('rows'), columns, after)
        if (batch.rows === 0) return
        yield batch
      }
    },
  }
}

async function readWords(database: Kysely<unknown>, words: RawBuilder<unknown>): Promise<Words> {
  const codes: number[] = []
  const values: string[] = []
  const folded: string[] = []
  for (;;) {
    const { rows } = await sql<{ id: number; value: string; folded: string }>`
      select id, value, folded from ${words} where id > ${codes.at(-1) ?? -1} order by id limit ${sql.lit(BATCH)}
    `.execute(database)
    if (rows.length === 0) return { codes, values, folded }
    for (const row of rows) {
      codes.push(row.id)
      values.push(unescapeText(row.value))
      folded.push(row.folded)
    }
  }
}

async function readBatch(
  database: Kysely<unknown>,
  table: RawBuilder<unknown>,
  columns: readonly Column[],
  after: number,
): Promise<RowBatch> {
  const lists = columns.map(({ name, type }) => {
    const cell = sql.ref(name)
    return sql`${type === 'digest' ? sql`string_agg(${cell}, '')` : sql`json_agg(${cell})`} as ${cell}`
  })
  const { rows } = await sql<Record<string, unknown>>`
    select count(*) as ${sql.ref(ROWS)}, ${sql.join(lists)}
    from (select * from ${table} where position between ${after + 1} and ${after + BATCH} order by position) as batch
  `.execute(database)
  const [found = {}] = rows
  return {
    rows: Number(found[ROWS]),
    columns: columns.map(({ name }) => (found[name] ?? []) as CellBatch),
  }
}

/** A name that no column has. */
const ROWS = '/rows'
