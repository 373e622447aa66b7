import type { LiveEntry } from '../../../store/store.ts'

/** How the feed's list differs from the one before; what an operator would want to know once. */
export interface EntryChanges {
  readonly appeared: readonly NamedEntry[]
  readonly gone: readonly NamedEntry[]
  readonly renamed: readonly (NamedEntry & { readonly before: string })[]
}

interface NamedEntry {
  readonly code: string
  readonly name: string
}

/** Tells of each list how it differs from the one before. */
export interface EntryChangeDetector {
  /**
   * Takes the list; undefined where it is the same as before but for counts and order, or is the first. Codes that were
   * dropped as malformed count as present: their fault is told already.
   */
  compare(entries: readonly LiveEntry[], droppedCodes: readonly string[]): EntryChanges | undefined
}

/** Begins to watch, from a list that is known or from none. */
export function detectEntryChanges(known?: readonly LiveEntry[]): EntryChangeDetector {
  let before = known && byKey(known)
  return {
    compare(entries, droppedCodes) {
      const previous = before
      const current = byKey(entries)
      for (const code of droppedCodes) {
        const still = previous?.get(keyOf(code))
        if (still !== undefined && !current.has(keyOf(code))) current.set(keyOf(code), still)
      }
      before = current
      return previous && differences(previous, current)
    },
  }
}

type ByKey = Map<string, NamedEntry>

/** Codes are told apart without regard to case, as everywhere (design 7). */
const keyOf = (code: string) => code.toUpperCase()

const byKey = (entries: readonly LiveEntry[]): ByKey =>
  new Map(entries.map(({ code, name }) => [keyOf(code), { code, name }]))

function differences(before: ByKey, after: ByKey): EntryChanges | undefined {
  const appeared = [...after].filter(([key]) => !before.has(key)).map(([, entry]) => entry)
  const gone = [...before].filter(([key]) => !after.has(key)).map(([, entry]) => entry)
  const renamed = [...after].flatMap(([key, entry]) => {
    const name = before.get(key)?.name ?? entry.name
    return name === entry.name ? [] : [{ ...entry, before: name }]
  })
  return appeared.length + gone.length + renamed.length === 0 ? undefined : { appeared, gone, renamed }
}
