import { createDigestCounts } from '../../values/digest-counts.ts'
import type { Changes } from '../store.ts'
import { digestOf, type Measures, measureRecords } from './content.ts'

/** The length of a record's digest: 8 bytes of the SHA-256 of its content, then 8 of its key. */
export const RECORD_DIGEST = 16
const HALF = RECORD_DIGEST / 2

/** The digests of the records of a release, one after another, in any order. */
interface RecordDigests {
  /** Returns the SHA-256 of the content. */
  add(key: string, content: string): Buffer
  /** All so far. */
  bytes(): Uint8Array
}

/** Digests in one chunk. */
const CHUNK = 1 << 16

/** Gathers the digests of records. */
export function gatherDigests(): RecordDigests {
  const chunks: Buffer[] = []
  let chunk = Buffer.alloc(0)
  let count = 0
  return {
    add(key, content) {
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
    bytes: () => Buffer.concat(chunks, count * RECORD_DIGEST),
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
 * changed; other unmatched records were added or removed. The older digests are read twice.
 */
export async function countChanges(
  before: () => AsyncIterable<Uint8Array>,
  rowsBefore: number,
  after: Uint8Array,
): Promise<Changes> {
  const unmatched = createDigestCounts(rowsBefore)
  for await (const some of before()) for (const digest of each(some)) unmatched.add(digest)
  const fresh = gatherKeys(after.length / RECORD_DIGEST)
  for (const digest of each(after)) if (!unmatched.take(digest)) fresh.add(digest)
  const gone = gatherKeys(unmatched.left)
  if (unmatched.left > 0)
    for await (const some of before())
      for (const digest of each(some)) if (unmatched.take(digest)) gone.add(digest)
  const changed = countCommon(fresh.sorted(), gone.sorted())
  return { added: fresh.count() - changed, changed, removed: gone.count() - changed }
}

function* each(digests: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < digests.length; at += RECORD_DIGEST) yield digests.subarray(at, at + RECORD_DIGEST)
}

function gatherKeys(most: number) {
  const keys = new BigUint64Array(most)
  let count = 0
  return {
    add(digest: Uint8Array): void {
      keys[count++] = new DataView(digest.buffer, digest.byteOffset + HALF, HALF).getBigUint64(0)
    },
    count: () => count,
    sorted: () => keys.subarray(0, count).sort(),
  }
}

/** How many items two sorted lists have in common; repeated items count in pairs. */
function countCommon(one: BigUint64Array, other: BigUint64Array): number {
  let common = 0
  for (let [at, otherAt] = [0, 0]; at < one.length && otherAt < other.length; ) {
    const [item, otherItem] = [one[at] as bigint, other[otherAt] as bigint]
    if (item === otherItem) common++
    if (item <= otherItem) at++
    if (otherItem <= item) otherAt++
  }
  return common
}
