import { createDigestCounts } from '../../values/digest-counts.ts'
import type { Changes } from '../store.ts'
import { digestOf, type Measures, measureRecords } from './content.ts'

/** The length of a record's digest: 8 bytes of the SHA-256 of its content, then 8 of its key. */
export const RECORD_DIGEST = 16
const HALF = RECORD_DIGEST / 2

/** Digests in one chunk. */
const CHUNK = 1 << 16

/** Gathers the digests of the records of a release, one after another, in any order. */
export function gatherDigests() {
  const chunks: Buffer[] = []
  let chunk = Buffer.alloc(0)
  let count = 0
  return {
    /** Returns the SHA-256 of the content. */
    add(key: string, content: string): Buffer {
      const at = (count % CHUNK) * RECORD_DIGEST
      if (at === 0) {
        chunk = Buffer.allocUnsafe(CHUNK * RECORD_DIGEST)
        chunks.push(chunk)
      }
      const digest = digestOf(content)
      digest.copy(chunk, at, 0, HALF)
      // A key that is itself a digest is not hashed again, which saves a tenth of an import.
      const isDigest = key.length === 64 && chunk.write(key.slice(-2 * HALF), at + HALF, HALF, 'hex') === HALF
      if (!isDigest) digestOf(key).copy(chunk, at + HALF, 0, HALF)
      count++
      return digest
    },
    /** All so far. */
    bytes: (): Uint8Array => Buffer.concat(chunks, count * RECORD_DIGEST),
  }
}

/** The measures of a release's records, and the record digests one after another. */
export interface Measured extends Measures {
  readonly digests: Uint8Array
}

/** Measures records and gathers their digests. */
export function measureWithDigests() {
  const gathered = gatherDigests()
  const measured = measureRecords()
  return {
    add: (key: string, content: string): void => measured.add(content, gathered.add(key, content)),
    end: (): Measured => ({ ...measured.end(), digests: gathered.bytes() }),
  }
}

/** Counts the records that are exact copies of an earlier record. */
export function countRepeated(digests: Uint8Array): number {
  const known = createDigestCounts(digests.length / RECORD_DIGEST)
  let repeated = 0
  for (const digest of each(digests)) if (!known.add(digest)) repeated++
  return repeated
}

/**
 * Compares two releases by their record digests, which may repeat. A pair of unmatched records with the same key counts as
 * changed; other unmatched records were added or removed.
 */
export async function countChanges(
  before: AsyncIterable<Uint8Array>,
  rowsBefore: number,
  after: Uint8Array,
): Promise<Changes> {
  const unmatched = createDigestCounts(after.length / RECORD_DIGEST)
  for (const digest of each(after)) unmatched.add(digest)
  // By the digest of the key alone.
  const gone = createDigestCounts(rowsBefore)
  const key = new Uint8Array(RECORD_DIGEST)
  const keyOf = (digest: Uint8Array) => {
    key.set(digest.subarray(HALF))
    return key
  }
  for await (const some of before)
    for (const digest of each(some)) if (!unmatched.take(digest)) gone.add(keyOf(digest))
  const [fresh, lost] = [unmatched.left, gone.left]
  let changed = 0
  if (fresh > 0 && lost > 0)
    for (const digest of each(after)) if (unmatched.take(digest) && gone.take(keyOf(digest))) changed++
  return { added: fresh - changed, changed, removed: lost - changed }
}

function* each(digests: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < digests.length; at += RECORD_DIGEST) yield digests.subarray(at, at + RECORD_DIGEST)
}
