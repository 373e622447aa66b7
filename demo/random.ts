/** Items with the cumulative sums of their weights. */
export interface Weighted<T> {
  readonly items: readonly T[]
  readonly totals: readonly number[]
}

/** A seeded pseudo-random number generator. */
export type Random = ReturnType<typeof seededRandom>

/**
 * Generates the same numbers for the same seed and stream on every platform, with integer arithmetic alone (sfc32). The
 * results of functions such as Math.exp differ between engines, so this folder does not use such functions.
 * Streams of one seed are independent: a change to one dataset leaves the other datasets unchanged.
 */
export function seededRandom(seed: number, stream: string) {
  const next = generator(seed, stream)
  return {
    /** A number in [0, 1). */
    next,
    /** A whole number, both ends inclusive. */
    int: (from: number, to: number) => from + Math.floor(next() * (to - from + 1)),
    chance: (probability: number) => next() < probability,
    pick: <T>(list: readonly T[]): T => at(list, Math.floor(next() * list.length)),
    weighted: <T>(choice: Weighted<T>): T => draw(choice, next()),
  }
}

/** Prepares items for {@link Random.weighted}; items without weight are never drawn. */
export function weights<T>(pairs: Iterable<readonly [item: T, weight: number]>): Weighted<T> {
  const items: T[] = []
  const totals: number[] = []
  let total = 0
  for (const [item, weight] of pairs) {
    if (weight <= 0) continue
    total += weight
    items.push(item)
    totals.push(total)
  }
  return { items, totals }
}

/** A 32-bit hash of a text (FNV-1a with a final mix). Equal texts have equal hashes on every platform. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

function generator(seed: number, stream: string): () => number {
  let a = hash32(`${seed}/${stream}/a`)
  let b = hash32(`${seed}/${stream}/b`)
  let c = hash32(`${seed}/${stream}/c`)
  let counter = 1
  const next = () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / 0x1_0000_0000
  }
  for (let i = 0; i < 12; i++) next()
  return next
}

/** The first item whose running total lies above the mark. */
function draw<T>({ items, totals }: Weighted<T>, share: number): T {
  const mark = share * at(totals, totals.length - 1)
  let low = 0
  let high = totals.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at(totals, middle) > mark) high = middle
    else low = middle + 1
  }
  return at(items, low)
}

function at<T>(list: readonly T[], index: number): T {
  if (index < 0 || index >= list.length) throw new RangeError('nothing to draw from')
  return list[index] as T
}
