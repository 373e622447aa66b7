import { hash } from 'node:crypto'
import { v5 } from 'uuid'
import type { StoredRecord } from '../../query/query.ts'
import type { Importable, Warn } from './importable.ts'

/** The namespace of all generated ids. Never change it: every record without an id of its own would get another id. */
const NAMESPACE = '5b0a3f0e-6f5c-4d38-9c39-8f1f6c0b2d74'

/** The id made from a dataset's name and a record's key: the same at every import. */
export const uuidOf = (dataset: string, ...key: readonly string[]): string =>
  v5([dataset, ...key].join('\n'), NAMESPACE)

/** Returns the key of a record of a release. */
export function storedKey({ identity }: Pick<Importable, 'identity'>): (record: StoredRecord) => string {
  const field = identity.kind === 'fingerprint' ? identity.field : 'id'
  return record => String(record[field])
}

/**
 * Returns the function that finds a record's key, and generates an id if the source has no id. A generated id depends
 * only on the dataset's name and the natural key, so a later import generates the same id. Records that share a natural
 * key are distinguished by their order.
 */
export function createIdentify({ name, identity }: Pick<Importable, 'name' | 'identity'>) {
  const keyOf = storedKey({ identity })
  const met = new Map<string, number>()
  return (record: StoredRecord, warn: Warn): { readonly key: string; readonly record: StoredRecord } => {
    if (identity.kind !== 'uuid' || typeof record.id === 'string') return { key: keyOf(record), record }
    const naturalKey = identity.naturalKey(record)
    // Weaker than `fold`. Never change it: the ids of published records are made from it.
    const folded = naturalKey.normalize('NFC').trim().toLowerCase().replace(/\s+/g, ' ')
    const ordinal = (met.get(folded) ?? 0) + 1
    met.set(folded, ordinal)
    if (ordinal > 1)
      warn(
        null,
        naturalKey,
        `names ${ordinal} records; they have no ids and are distinguished by their order`,
      )
    const id = uuidOf(name, folded, ...(ordinal > 1 ? [`#${ordinal}`] : []))
    return { key: id, record: { ...record, id } }
  }
}

/**
 * Finds an earlier record with the same key: its line, and whether its content is the same. Keeps only a digest of each
 * record, so that a large source costs little memory.
 */
export function createFindDuplicate() {
  const known = new Map<string, { line: number; digest: string }>()
  return (key: string, line: number, content: string) => {
    const digest = hash('sha256', content, 'base64')
    const first = known.get(key)
    if (first !== undefined) return { line: first.line, isSame: first.digest === digest }
    known.set(key, { line, digest })
    return undefined
  }
}
