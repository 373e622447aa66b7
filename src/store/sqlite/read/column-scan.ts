import { existsSync } from 'node:fs'
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
import { DamagedReleaseError, NoStoreError, type Release } from '../../store.ts'
import { type Database, openDatabase, type Statement } from '../driver.ts'
import { toReadError } from '../faults.ts'
import { registryPath, releasePath } from '../paths.ts'

/** Opens the column scan of a release in a folder. */
export async function openSqliteColumnScan(
  folder: string,
  { dataset, number }: Release,
  layout: TableLayout,
): Promise<OpenColumnScan> {
  if (!existsSync(registryPath(folder))) throw new NoStoreError(`there is no store in ${folder}`)
  const path = releasePath(folder, { dataset, number })
  if (!existsSync(path))
    throw new DamagedReleaseError(`release ${number} of ${dataset} is damaged: ${path} is missing`)
  try {
    const database = openDatabase(path, { finished: true })
    return { ...columnScan(database, path, layout), close: async () => database.close() }
  } catch (error) {
    throw toReadError(error, path)
  }
}

/** Reads a whole table; SQLite aggregates the cells of a batch into one text a column. */
export function columnScan(database: Database, path: string, { columns }: TableLayout): ColumnScan {
  let readRows: ReturnType<typeof rowReader> | undefined
  return scanInBatches({
    words: (column, after) => explaining(() => readWords(database, column, after)),
    rows: after =>
      explaining(() => {
        readRows ??= rowReader(database, columns)
        return readRows(after + 1, after + SCAN_BATCH)
      }),
  })

  function explaining<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw toReadError(error, path)
    }
  }
}

function readWords(database: Database, column: string, after: number): Omit<Words, 'folded'> {
  const batch = database.prepare(`
    select json_group_array(id) as codes, json_group_array(value) as "values"
    from (select id, value from ${named(`words_${column}`)} where id > ? order by id limit ${SCAN_BATCH})`)
  const { codes, values } = batch.get(after) as Record<keyof Words, string>
  return { codes: JSON.parse(codes), values: JSON.parse(values) }
}

/** Returns the reader of a range of positions. */
function rowReader(
  database: Database,
  columns: readonly Column[],
): (first: number, last: number) => RowBatch {
  const between = 'from rows where position between ? and ? order by position'
  const names = columns.map(({ name }) => named(name)).join(', ')
  const texts = columns.map(column => `${textOf(column)} as ${named(column.name)}`)
  const fractions = columns.filter(({ type }) => type === 'number').map(hasFractions)
  const batch = database.prepare(
    `select count(*) as ${named(ROWS)}, ${[...texts, ...fractions].join(', ')} from (select position, ${names} ${between})`,
  )
  const exact = new Map<string, Statement>()

  /** Non-integers lose digits on the way through text. */
  function exactNumbers({ name }: Column, first: number, last: number): CellBatch {
    const statement = exact.get(name) ?? database.prepare(`select ${named(name)} as "cell" ${between}`)
    exact.set(name, statement)
    return (statement.all(first, last) as { cell: number | null }[]).map(({ cell }) => cell)
  }

  return (first, last) => {
    const found = batch.get(first, last) as Record<string, string | number | null>
    return {
      rows: Number(found[ROWS]),
      columns: columns.map(column => {
        if (found[fractionsName(column)] === 1) return exactNumbers(column, first, last)
        const text = String(found[column.name])
        return column.type === 'digest' ? Buffer.from(text, 'hex') : (JSON.parse(text) as (number | null)[])
      }),
    }
  }
}

function textOf({ name, type }: Column): string {
  const cell = named(name)
  if (type === 'digest') return `group_concat(hex(${cell}), '')`
  return `json_group_array(${type === 'number' ? `iif(${isWhole(cell)}, cast(${cell} as integer), null)` : cell})`
}

/** Whether a column contains any non-integer. */
const hasFractions = (column: Column): string =>
  `max(not ${isWhole(named(column.name))}) as ${named(fractionsName(column))}`

const isWhole = (cell: string): string => `(${cell} = cast(${cell} as integer))`

/** Names that no column has. */
const ROWS = '/rows'
const fractionsName = ({ name }: Column): string => `${name}/fractions`

/** Names are plain, as the layout's declaration was checked. */
const named = (name: string): string => `"${name}"`
