import { sql } from 'kysely'
import type { Registry } from '../registry/tables.ts'
import type { PlainCell } from './backup-format.ts'

/** A table of the registry as the database itself describes it, so that no list of tables and columns can be outdated. */
export interface RegistryTable {
  readonly name: string
  readonly columns: readonly string[]
  /** The columns of its primary key. */
  readonly key: readonly string[]
}

/** One column of a table. */
export interface RegistryColumn {
  readonly table: string
  readonly column: string
  /** Its place in the primary key, from 1; 0 if it is in none. */
  readonly keyPlace: number
}

/**
 * Not carried: a store's own counters, which other stores' instances compare with what they have seen, and where it keeps the
 * content of releases.
 */
const OWN = ['state', 'release_files', 'release_pieces']

/** Carried with their content. */
export const RELEASES = 'releases'

/** Groups columns, given in their order, by table. */
export function registryTables(columns: readonly RegistryColumn[]): RegistryTable[] {
  const names = [...new Set(columns.map(({ table }) => table))].filter(name => !OWN.includes(name))
  return names.map(name => {
    const own = columns.filter(({ table }) => table === name)
    const key = own.filter(({ keyPlace }) => keyPlace > 0).sort((one, other) => one.keyPlace - other.keyPlace)
    if (key.length === 0) throw new Error(`the table ${name} has no primary key, in whose order it is read`)
    return { name, columns: own.map(({ column }) => column), key: key.map(({ column }) => column) }
  })
}

/** Rows read or written by one statement. */
export const ROWS_AT_ONCE = 2000

/** Reads a table in the order of its key, in batches. */
export async function* rowsOf(
  registry: Registry,
  schema: string,
  { name, columns, key }: RegistryTable,
): AsyncGenerator<PlainCell[][]> {
  const keys = listed(key)
  const keyPlaces = key.map(column => columns.indexOf(column))
  let after = sql``
  for (;;) {
    const { rows } = await sql<Record<string, PlainCell>>`
      select ${listed(columns)} from ${sql.id(schema, name)} ${after} order by ${keys} limit ${ROWS_AT_ONCE}`.execute(
      registry,
    )
    if (rows.length === 0) return
    const cells = rows.map(row => columns.map(column => row[column] ?? null))
    yield cells
    const last = cells.at(-1) ?? []
    after = sql`where (${keys}) > (${sql.join(keyPlaces.map(place => last[place]))})`
  }
}

/** The name of a table that has rows; undefined if all are empty. */
export async function filledTable(
  registry: Registry,
  schema: string,
  tables: readonly RegistryTable[],
): Promise<string | undefined> {
  for (const { name } of tables) {
    const { rows } = await sql`select 1 from ${sql.id(schema, name)} limit 1`.execute(registry)
    if (rows.length > 0) return name
  }
  return undefined
}

/** Columns, separated by commas. */
export const listed = (columns: readonly string[]) => sql.join(columns.map(column => sql.ref(column)))
