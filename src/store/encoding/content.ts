import { createHash, hash } from 'node:crypto'
import type { StoredRecord } from '../../query/query.ts'

/** The canonical text of a record: two records are the same if and only if it is. */
export function contentOf(record: StoredRecord): string {
  return JSON.stringify(record)
}

/** A 16-byte digest of a text: the first half of its SHA-256. */
export function shortDigest(text: string): Uint8Array {
  return hash('sha256', text, 'buffer').subarray(0, 16)
}

/** The same digest as 32 hexadecimal digits. */
export function shortDigestHex(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32)
}

/**
 * Computes the hash of a release: SHA-256 over each record's canonical text and a line feed, in the order of the
 * source.
 */
export function releaseHash(): { add(content: string): void; digest(): string } {
  const gathered = createHash('sha256')
  let waiting = ''
  return {
    add(content) {
      waiting += `${content}\n`
      if (waiting.length < CHUNK) return
      gathered.update(waiting)
      waiting = ''
    },
    digest: () => gathered.update(waiting).digest('hex'),
  }
}

/** Hashing larger chunks is faster than record by record. Every chunk ends with a record. */
const CHUNK = 32_768
