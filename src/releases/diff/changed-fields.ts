import { isDeepStrictEqual } from 'node:util'
import type { StoredRecord } from '../../query/query.ts'

/** A field's value on both sides; null where a record lacks the field. */
export interface ChangedValue {
  readonly from: unknown
  readonly to: unknown
}

/** The fields in which two records differ, in the order of the newer one. */
export function changedFields(from: StoredRecord, to: StoredRecord): Record<string, ChangedValue> {
  const fields = [...new Set([...Object.keys(to), ...Object.keys(from)])]
  return Object.fromEntries(
    fields
      .map(field => [field, { from: from[field] ?? null, to: to[field] ?? null }] as const)
      .filter(([, { from, to }]) => !isDeepStrictEqual(from, to)),
  )
}
