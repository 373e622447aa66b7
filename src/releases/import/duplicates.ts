import { hash } from 'node:crypto'
import type { StoredRecord } from '../../query/query.ts'

/** Tells whether a record's key has been met, on which line first, and whether with the same content. */
export type FindRepeat = (
  key: string,
  line: number,
  record: StoredRecord,
) => { readonly line: number; readonly same: boolean } | undefined

/** Remembers a digest rather than the record, so that a large source costs little memory. */
export function createFindRepeat(): FindRepeat {
  const met = new Map<string, { line: number; digest: string }>()
  return (key, line, record) => {
    const digest = hash('sha256', JSON.stringify(record), 'base64')
    const before = met.get(key)
    if (before !== undefined) return { line: before.line, same: before.digest === digest }
    met.set(key, { line, digest })
    return undefined
  }
}
