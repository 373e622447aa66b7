import { isBlank } from './blank.ts'
import type { Columns } from './columns.ts'
import { createJsonSplitter, type JsonElement } from './json-elements.ts'
import { Refusal } from './refusal.ts'
import { faultyRow, type SourceRow } from './row.ts'

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
