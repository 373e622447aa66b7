/** What became of texts that were met before: what a column holds repeats often. Bounded. */
export interface Memory<T extends {}> {
  /** What was kept for a text; undefined where nothing is. */
  of(text: string): T | undefined
  keep(text: string, value: T): void
}

/** So many texts are remembered at once. */
const MOST = 65_536
/** Longer ones hardly repeat. */
const LONGEST = 64

/** Starts a memory. Where texts hardly repeat it gives up, for remembering costs as well. */
export function createMemory<T extends {}>(): Memory<T> {
  const known = new Map<string, T>()
  let spared = 0
  let pays = true
  return {
    of(text) {
      if (!pays) return undefined
      const value = known.get(text)
      if (value !== undefined) spared++
      return value
    },
    keep(text, value) {
      if (!pays || text.length > LONGEST) return
      if (known.size >= MOST) {
        known.clear()
        pays = spared >= MOST
        spared = 0
      }
      known.set(text, value)
    },
  }
}
