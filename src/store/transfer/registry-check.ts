import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { cut } from '../../values/text.ts'
import { addTo } from '../../values/values.ts'
import { COLUMNS, keyOf, TABLE_NAMES, type TableName } from '../registry/columns.ts'
import type { ReleaseColumns, Row } from '../registry/tables.ts'

/** A store may keep the releases of years (`KEEP_RELEASES`): this is one an hour for over five years. */
const MOST_RELEASES = 50_000
/** Limits the names and the statuses of readings, which the service holds in memory. */
const MOST_NAMES = 20_000

/** The remedy for a backup that does not fit this version. */
export const ELSEWHERE = 'it comes from another version of the service; run that version'

/**
 * Checks the registry of a backup from its first row to its last, without trusting its writer. All functions throw the error that
 * `refuse` makes from the fault and the remedy, by default another backup.
 */
export function createRegistryCheck(refuse: (what: string, remedy?: string) => Error) {
  /** The numbers of the releases of each dataset. */
  const releases = new Map<string, number[]>()
  const named = new Set<string>()
  /** The ids of names and of statuses of readings, and their texts. */
  const [names, statuses, texts] = [new Set(), new Set(), new Set()]
  let lastTable = ''

  const rules: Partial<Record<TableName, (row: Row) => string | undefined>> = {
    datasets({ name, last_number, current_number, current_since }) {
      if (releases.has(String(name))) named.add(String(name))
      const numbers = releases.get(String(name)) ?? []
      if ((current_number === null) !== (current_since === null)) return 'half of what is current is missing'
      if (current_number !== null && !numbers.includes(Number(current_number)))
        return `the current release ${current_number} of ${name} is not in the file`
      return Number(last_number) < (numbers.at(-1) ?? 0)
        ? `a release of ${name} has a later number`
        : undefined
    },
    sources: ({ dataset, state }) =>
      JSON.parse(String(state)).dataset === dataset ? undefined : 'the state is that of another dataset',
    reading_names: ({ id, code, name }) => add(names, id, [code, name]),
    reading_statuses: ({ id, status }) => add(statuses, id, [status]),
    readings: ({ name_id, status_id }) =>
      names.has(name_id) && (status_id === null || statuses.has(status_id))
        ? undefined
        : 'the reading has a name or a status that is not in the file',
    reading_batches: ({ first_at, last_at }) =>
      Number(first_at) <= Number(last_at) ? undefined : 'the readings end before they begin',
    releases({ dataset, number }) {
      addTo(releases, String(dataset), Number(number))
      return Number(releases.get(String(dataset))?.length) <= MOST_RELEASES
        ? undefined
        : `${dataset} has more than ${MOST_RELEASES} releases`
    },
  }

  function add(ids: Set<unknown>, id: unknown, text: readonly unknown[]): string | undefined {
    const json = JSON.stringify(text)
    if (texts.has(json)) return `${shown(json)} is there twice`
    ids.add(id)
    texts.add(json)
    return texts.size > MOST_NAMES ? `there are more than ${MOST_NAMES} names and statuses` : undefined
  }

  function tableCheck(table: TableName) {
    const schemas: Readonly<Record<string, TSchema & { readonly description?: string }>> = COLUMNS[table]
    const checks = Object.entries(schemas).map(([column, schema]) => ({
      column,
      check: Compile(schema),
      allowed: schema.description,
    }))
    const key = keyOf(table)
    let last: Row | undefined
    return {
      requirePlaces(columns: readonly string[]): void {
        const unknown = columns.find(column => !Object.hasOwn(schemas, column))
        if (unknown !== undefined)
          throw refuse(`there is no place for ${shown(unknown)} of the table ${table}`, ELSEWHERE)
        // An earlier version may lack a column, if it can be null.
        const lacking = checks.find(({ column, check }) => !columns.includes(column) && !check.Check(null))
        if (lacking !== undefined) throw refuse(`the table ${table} lacks the column ${lacking.column}`)
      },
      require(given: Readonly<Record<string, unknown>>): Row {
        for (const { column, check, allowed } of checks)
          if (!check.Check(given[column] ?? null))
            throw refuse(`${column} of the table ${table} is ${shown(given[column])}; allowed: ${allowed}`)
        const row = given as Row
        if (last !== undefined && compare(key, last, row) >= 0)
          throw refuse(`a row of the table ${table} is there twice, or not in the order of ${key.join(', ')}`)
        last = row
        const wrong = rules[table]?.(row)
        if (wrong !== undefined) throw refuse(`in the table ${table}, ${wrong}`)
        return row
      },
    }
  }

  const releaseCheck = tableCheck('releases')
  return {
    release(row: Readonly<Record<string, unknown>>): ReleaseColumns {
      releaseCheck.requirePlaces(Object.keys(row))
      return releaseCheck.require({ held_back: null, ...row }) as unknown as ReleaseColumns
    },
    /** Begins a table; `rowOf` turns cells into a row. */
    table(name: string, columns: readonly string[]) {
      const table = TABLE_NAMES.find(one => one === name)
      if (table === undefined || table === 'releases')
        throw refuse(`there is no place for the table ${shown(name)}`, ELSEWHERE)
      if (name <= lastTable) throw refuse(`the table ${name} is there twice, or not in the order of names`)
      lastTable = name
      const { requirePlaces, require } = tableCheck(table)
      requirePlaces(columns)
      const rowOf = (cells: readonly unknown[]): Row => {
        if (cells.length !== columns.length)
          throw refuse(
            `a row of the table ${name} does not have one cell for each of its ${columns.length} columns`,
          )
        return require(Object.fromEntries(columns.map((column, place) => [column, cells[place]])))
      }
      return { table, rowOf }
    },
    /** Throws if the tables contradict each other. */
    end(): void {
      const lost = [...releases.keys()].find(dataset => !named.has(dataset))
      if (lost !== undefined) throw refuse(`the table datasets does not have ${lost}`)
    },
  }
}

/** Compares rows by their keys as databases do: numbers, and texts by their bytes. */
function compare(key: readonly string[], one: Row, other: Row): number {
  for (const column of key) {
    const [value, next] = [one[column] ?? null, other[column] ?? null]
    const difference =
      typeof value === 'number'
        ? value - Number(next)
        : Buffer.compare(Buffer.from(String(value)), Buffer.from(String(next)))
    if (difference !== 0) return difference
  }
  return 0
}

/** A value of a file for a message: JSON, cut to fit a line. */
export function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object'
  return cut(JSON.stringify(typeof value === 'string' ? value.slice(0, 100) : value) ?? 'missing', 60)
}
