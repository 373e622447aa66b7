import { type Kysely, type RawBuilder, sql } from 'kysely'
import {
  type CellBatch,
  type ColumnScan,
  type RowBatch,
  SCAN_BATCH,
  scanInBatches,
  type Words,
} from '../../column-scan.ts'
import type { OpenColumnScan } from '../../engine.ts'
import type { Column, TableLayout } from '../../layout.ts'
import { sameRelease } from '../../registry/releases.ts'
import { DamagedReleaseError, type Release, UnknownReleaseError } from '../../store.ts'
import { readAddress } from '../connect/address.ts'
import { kyselyOver } from '../connect/dialect.ts'
import { toReadError } from '../connect/faults.ts'
import { closeTopology, openTopology } from '../connect/topology.ts'
import { readRegistry } from '../registry.ts'
import { type ReleaseTables, releaseTables } from '../write/release-tables.ts'
import { releaseReader } from './release-reader.ts'

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
    const { locator } = await readRegistry(topology).read(registry => sameRelease(registry, release))
    const database = kyselyOver<unknown>(releaseReader(topology, locator), error =>
      toReadError(error, target),
    )
    const scan = columnScan(database, releaseTables(target.schema, locator), layout)
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
export const columnScan = (
  database: Kysely<unknown>,
  { table }: ReleaseTables,
  { columns }: TableLayout,
): ColumnScan =>
  scanInBatches({
    words: (column, after) => readWords(database, table(`words_${column}`), after),
    rows: after => readRows(database, table('rows'), columns, after),
  })

async function readWords(
  database: Kysely<unknown>,
  words: RawBuilder<unknown>,
  after: number,
): Promise<Omit<Words, 'folded'>> {
  const { rows } = await sql<Omit<Words, 'folded'>>`
    select coalesce(json_agg(id), '[]') as codes, coalesce(json_agg(value), '[]') as "values"
    from (select id, value from ${words} where id > ${after} order by id limit ${sql.lit(SCAN_BATCH)}) as batch
  `.execute(database)
  return rows[0] ?? { codes: [], values: [] }
}

async function readRows(
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
    from (select * from ${table} where position between ${after + 1} and ${after + SCAN_BATCH} order by position) as batch
  `.execute(database)
  const [found = {}] = rows
  return {
    rows: Number(found[ROWS]),
    columns: columns.map(({ name }) => (found[name] ?? []) as CellBatch),
  }
}

/** A name that no column has. */
const ROWS = '/rows'
