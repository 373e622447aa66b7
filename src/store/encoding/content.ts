import { createHash, hash } from 'node:crypto'
import type { StoredRecord } from '../../query/query.ts'

/** The canonical text of a record: two records are the same if and only if it is. */
export function contentOf(record: StoredRecord): string {
  return JSON.stringify(record)
}

/** The SHA-256 of a text. */
export function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer')
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

/** Sums the digests of records, in any order, as four numbers of 32 bits. */
export interface RecordDigest {
  /** Adds the SHA-256 of a record's canonical text. */
  add(digest: Buffer): void
  /** The sums, as 32 hexadecimal digits. */
  digest(): string
}

/**
 * Creates an empty sum. A release keeps the sum of its records as they were published, which tells whether the records are the
 * same where its hash cannot: that depends on the order of the source.
 */
export function recordDigest(): RecordDigest {
  const sums = new Uint32Array(4)
  return {
    add(digest) {
      for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] as number) + digest.readUInt32BE(at * 4)
    },
    digest: () => Array.from(sums, sum => sum.toString(16).padStart(8, '0')).join(''),
  }
}
