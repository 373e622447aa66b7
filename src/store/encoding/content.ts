import { createHash, hash } from 'node:crypto'
import type { StoredRecord } from '../../query/query.ts'

/** The canonical text of a record. Records are the same if and only if their texts are the same. */
export function contentOf(record: StoredRecord): string {
  return JSON.stringify(record)
}

/** The SHA-256 of a text. */
export function digestOf(text: string): Buffer {
  // Faster than 'buffer', which allocates memory for each digest.
  return Buffer.from(hash('sha256', text, 'binary'), 'binary')
}

/**
 * Computes the hash of a release: SHA-256 over each record's canonical text and a line feed, in the order of the
 * source.
 */
export function releaseHash() {
  const hash = createHash('sha256')
  return {
    add: (content: string): void => void hash.update(`${content}\n`),
    digest: (): string => hash.digest('hex'),
  }
}

/** Identifies the records of a release: they are the published records if these measures are equal. */
export interface Measures {
  readonly rows: number
  /** The hash of the release, if the records come in source order. */
  readonly hash: string
  /**
   * The sum of the record digests. It identifies records in any order, whereas the hash depends on source order.
   */
  readonly digest: string
}

/** Measures records by their canonical texts. */
export function measureRecords() {
  const hash = releaseHash()
  const sums = new Uint32Array(4)
  let rows = 0
  return {
    /** Adds a record; `digest` is the SHA-256 of its text. */
    add(content: string, digest = digestOf(content)): void {
      hash.add(content)
      for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] as number) + digest.readUInt32BE(at * 4)
      rows++
    },
    end: (): Measures => ({
      rows,
      hash: hash.digest(),
      digest: Array.from(sums, sum => sum.toString(16).padStart(8, '0')).join(''),
    }),
  }
}

/**
 * Encodes any text so that every engine stores it exactly. Nearly all text is unchanged. Engines truncate or replace a NUL or
 * a lone surrogate, so text with one becomes a JSON string, and so does text that starts with a quotation mark.
 */
export function escapeText(text: string): string {
  return /^"|[\0\p{Cs}]/u.test(text) ? JSON.stringify(text) : text
}

/** Decodes the result of {@link escapeText}. */
export function unescapeText(kept: string): string {
  return kept.startsWith('"') ? String(JSON.parse(kept)) : kept
}
