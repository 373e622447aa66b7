import type { Readable } from 'node:stream'
import { gunzipped, openBytes } from './bytes.ts'
import type { Columns } from './columns.ts'
import { csvRows } from './csv-rows.ts'
import { createJsonSplitter, type JsonElement } from './json-elements.ts'
import { LONGEST_ROW, MOST_COLUMNS } from './limits.ts'
import { faultyRow, isBlank, Refusal, type SourceRow } from './source-row.ts'
import { decodeUtf8 } from './utf8.ts'

/** An opened source. */
export interface Source {
  /**
   * Its records, in the source's order, in batches. Throws {@link Refusal} where the source as a whole cannot be read.
   */
  rows(columns: Columns, required: readonly string[]): AsyncGenerator<readonly SourceRow[]>
  readonly bytesTotal: number | null
  bytesRead(): number
}

/** Opens a source: a file, standard input for `-`, or `input`; gzip or not; JSON or CSV. Throws {@link Refusal}. */
export async function openSource(name: string, input?: Readable): Promise<Source> {
  const bytes = await openBytes(name, input)
  return {
    rows: (columns, required) => rowsOf(decodeUtf8(gunzipped(bytes.chunks)), columns, required),
    bytesTotal: bytes.total,
    bytesRead: bytes.taken,
  }
}

/** Text that starts with a bracket is JSON, any other is CSV. */
async function* rowsOf(text: AsyncGenerator<string>, columns: Columns, required: readonly string[]) {
  let head = ''
  for (let one = await text.next(); !one.done; one = await text.next()) {
    head += one.value
    if (/\S/.test(one.value)) break
    if (head.length > LONGEST_ROW)
      throw new Refusal(
        `the source starts with more than ${LONGEST_ROW} blanks; remove the empty space before its header`,
      )
  }
  if (!/\S/.test(head)) throw new Refusal('the source is empty; nothing was read from it')
  async function* whole() {
    yield head
    yield* text
  }
  yield* /^\s*[[{]/.test(head) ? jsonRows(whole(), columns) : csvRows(whole(), columns, required)
}

/** The records of a JSON source. */
export async function* jsonRows(
  text: AsyncIterable<string>,
  columns: Columns,
): AsyncGenerator<readonly SourceRow[]> {
  const splitter = createJsonSplitter()
  let any = false
  for await (const piece of text) {
    const elements = splitter.push(piece)
    any ||= elements.length > 0
    yield elements.map(element => toRow(element, columns))
  }
  splitter.end()
  // An empty list has no names; it is refused as empty later.
  if (any) columns.checkMapped()
}

function toRow({ line, value }: JsonElement, columns: Columns): SourceRow {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return faultyRow(line, 'is not an object with the fields of a record', value)
  // A Map, because "__proto__" is a name like any other.
  const given = new Map(Object.entries(value))
  if (given.size > MOST_COLUMNS)
    return faultyRow(line, `has ${given.size} fields; at most ${MOST_COLUMNS} are allowed`)
  const values: unknown[] = columns.fields.map(() => undefined)
  const names = new Map<string, string>()
  try {
    for (const [field, candidates] of columns.assign([...given.keys()])) {
      const name = candidates.find(candidate => !isBlank(given.get(candidate))) ?? candidates[0] ?? field
      values[columns.fields.indexOf(field)] = given.get(name)
      names.set(field, name)
    }
  } catch (error) {
    if (error instanceof Refusal) return faultyRow(line, error.message)
    throw error
  }
  return { line, values, columns: names }
}
