/** 32-bit words in a slot: three words of the digest, then its count plus one, or 0 if the slot is free. */
const SLOT = 4
/** Slots per digest: free slots keep searches short. */
const ROOM = 1.5

/**
 * Counts up to `most` different digests, which may repeat, in 24 bytes each, a fifth of the memory of a map. Only the first 96 bits are
 * compared: the chance that two of ten million records share these bits is one in 10^15.
 */
export function createDigestCounts(most: number) {
  const slots = Math.ceil(most * ROOM) + 1
  const words = new Uint32Array(slots * SLOT)
  let left = 0

  /** The start of the digest's slot, or of the free slot for it. */
  function find(first: number, second: number, third: number): number {
    for (let slot = first % slots; ; slot = (slot + 1) % slots) {
      const at = slot * SLOT
      const isSame = words[at] === first && words[at + 1] === second && words[at + 2] === third
      if (isSame || words[at + 3] === 0) return at
    }
  }

  return {
    /** The number of digests that were added and not taken. */
    get left(): number {
      return left
    },
    /** Adds a digest; true if it was not added before. */
    add(digest: Uint8Array): boolean {
      const parts = partsOf(digest)
      const at = find(...parts)
      const counted = words[at + 3] ?? 0
      words.set([...parts, Math.max(counted, 1) + 1], at)
      left++
      return counted === 0
    },
    /** Removes one occurrence of a digest; false if no occurrence is left. */
    take(digest: Uint8Array): boolean {
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
