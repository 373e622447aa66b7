import { createHash, hash } from 'node:crypto'
import type { StoredRecord } from '../../query/query.ts'

/** The text that a record's content is judged by: records are the same if and only if this is. */
export function contentOf(record: StoredRecord): string {
  return JSON.stringify(record)
}

/** Sixteen bytes that stand for a text: the first half of its SHA-256. */
export function shortDigest(text: string): Uint8Array {
  return hash('sha256', text, 'buffer').subarray(0, 16)
}

/** The same as 32 hexadecimal digits. */
export function shortDigestHex(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32)
}

/** Gathers the hash of a release: SHA-256 over each record's content and a line feed, in the order of the source. */
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

/** Hashing in larger pieces is faster than record by record. Every piece ends with a record. */
const CHUNK = 32_768
