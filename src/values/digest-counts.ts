/** Counts digests, which may repeat. */
export interface DigestCounts {
  /** The number of digests that were added and not taken. */
  readonly left: number
  /** Adds a digest; true for one that was not added before. */
  add(digest: Uint8Array): boolean
  /** Takes one of these digests away; false where none is left. */
  take(digest: Uint8Array): boolean
}

/** Words of 32 bits in a slot: three of the digest; then one more than its count, or 0 where the slot is free. */
const SLOT = 4
/** Slots per digest: free ones keep searches short. */
const ROOM = 1.5

/**
 * Counts up to `most` different digests in 24 bytes each, a fifth of what a map takes. It compares their first 96 bits:
 * that any two of ten million records share these has a chance of one in 10^15.
 */
export function createDigestCounts(most: number): DigestCounts {
  const slots = Math.ceil(most * ROOM) + 1
  const words = new Uint32Array(slots * SLOT)
  let left = 0

  /** The start of the digest's slot, or of the free one where it belongs. */
  function find(first: number, second: number, third: number): number {
    for (let slot = first % slots; ; slot = (slot + 1) % slots) {
      const at = slot * SLOT
      const isSame = words[at] === first && words[at + 1] === second && words[at + 2] === third
      if (isSame || words[at + 3] === 0) return at
    }
  }

  return {
    get left() {
      return left
    },
    add(digest) {
      const parts = partsOf(digest)
      const at = find(...parts)
      const counted = words[at + 3] ?? 0
      words.set([...parts, Math.max(counted, 1) + 1], at)
      left++
      return counted === 0
    },
    take(digest) {
      const at = find(...partsOf(digest)) + 3
      const counted = words[at] ?? 0
      if (counted < 2) return false
      words[at] = counted - 1
      left--
      return true
    },
  }
}

function partsOf(digest: Uint8Array): [number, number, number] {
  const view = new DataView(digest.buffer, digest.byteOffset)
  return [view.getUint32(0), view.getUint32(4), view.getUint32(8)]
}
