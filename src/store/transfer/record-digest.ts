import { contentOf, releaseHash, shortDigest } from '../encoding/content.ts'
import type { Layout } from '../layout.ts'
import type { RecordBatch, ReleaseEntry } from './dump.ts'

/** Sums the digests of records, in any order, as four numbers of 32 bits. */
export interface RecordDigest {
  /** Adds a record's 16-byte digest, which occurs so many times. */
  add(digest: Uint8Array, copies?: number): void
  /** The sums, as 32 hexadecimal digits. */
  digest(): string
}

/**
 * Creates an empty sum. A release stores the digest of each record as it was published, so that its sum tells whether
 * the records are the same, where its hash cannot: that depends on the order of the source.
 */
export function recordDigest(): RecordDigest {
  const sums = new Uint32Array(4)
  return {
    add(digest, copies = 1) {
      const view = new DataView(digest.buffer, digest.byteOffset, digest.byteLength)
      for (const [index, sum] of sums.entries())
        sums[index] = sum + Math.imul(view.getUint32(index * 4), copies)
    },
    digest: () => sumsText([...sums]),
  }
}

/** The text of four sums. */
export const sumsText = (sums: readonly number[]): string =>
  sums.map(sum => (sum >>> 0).toString(16).padStart(8, '0')).join('')

/** Passes records on. Throws the error of `differ`, with what is wrong, unless they are all those of the release. */
export async function* checked(
  batches: AsyncIterable<RecordBatch>,
  { row, digest }: ReleaseEntry,
  layout: Layout | undefined,
  differ: (what: string) => Error,
): AsyncGenerator<RecordBatch> {
  const hash = releaseHash()
  const sum = recordDigest()
  let rows = 0
  for await (const batch of batches) {
    rows += batch.contents.length
    for (const content of batch.contents) {
      sum.add(shortDigest(content))
      hash.add(content)
    }
    yield batch
  }
  if (rows !== row.rows) throw differ(`it has ${rows} records and was published with ${row.rows}`)
  // A table is stored in another order than the source's, over which the hash is.
  const isSame = layout?.kind === 'documents' ? hash.digest() === row.hash : sum.digest() === digest
  if (!isSame) throw differ('its records are not those that were published')
}

/** Records with their canonical texts. */
export const recordBatch = (records: RecordBatch['records']): RecordBatch => ({
  records,
  contents: records.map(contentOf),
})
