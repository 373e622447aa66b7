import { isDeepStrictEqual } from 'node:util'
import type { StoredRecord } from '../../query/query.ts'

/** A field's value on both sides; null where a record lacks the field. */
export interface ChangedValue {
  readonly from: unknown
  readonly to: unknown
}

/** The fields in which two records differ, in the order of the newer record. */
export function changedFields(from: StoredRecord, to: StoredRecord): Record<string, ChangedValue> {
  const fields = [...new Set([...Object.keys(to), ...Object.keys(from)])]
  return Object.fromEntries(
    fields
      .map(field => [field, { from: from[field] ?? null, to: to[field] ?? null }] as const)
      .filter(([, { from, to }]) => !isDeepStrictEqual(from, to)),
  )
}

/**
 * Writes a comparison and its lists of differences as one JSON document, in pieces, so that no list must fit in memory.
 * With `lineBreak`, each item has its own line.
 */
export async function* changesDocument(
  compared: object,
  lists: Readonly<Record<string, AsyncIterable<unknown>>>,
  lineBreak = '',
): AsyncGenerator<string> {
  yield JSON.stringify(compared).slice(0, -1)
  for (const [name, items] of Object.entries(lists)) {
    yield `,${lineBreak}"${name}":[`
    let separator = lineBreak
    for await (const item of items) {
      yield separator + JSON.stringify(item)
      separator = `,${lineBreak}`
    }
    yield ']'
  }
  yield `}${lineBreak}`
}

/** Describes each item of a list, for the document. */
export async function* each<T>(
  items: AsyncIterable<T>,
  describe: (item: T) => object,
): AsyncGenerator<object> {
  for await (const item of items) yield describe(item)
}
