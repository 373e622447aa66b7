import type { LiveEntry } from '../../../store/store.ts'

/** The differences of the feed's list from the one before, for the operator. */
export interface EntryChanges {
  readonly appeared: readonly NamedEntry[]
  readonly gone: readonly NamedEntry[]
  readonly renamed: readonly (NamedEntry & { readonly before: string })[]
}

interface NamedEntry {
  readonly code: string
  readonly name: string
}

/** Creates a detector that compares each list with the one before, at first with a known list or none. */
export function detectEntryChanges(known?: readonly LiveEntry[]) {
  let before = known && byKey(known)
  return {
    /**
     * Takes the list; undefined where it is the same as before but for counts and order, or is the first. Codes that were
     * dropped as malformed count as present: their fault is a warning already.
     */
    compare(entries: readonly LiveEntry[], droppedCodes: readonly string[]): EntryChanges | undefined {
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

/** Codes are compared without regard to case, as everywhere (design 7). */
const keyOf = (code: string) => code.toUpperCase()

const byKey = (entries: readonly LiveEntry[]): ByKey =>
  new Map(entries.map(({ code, name }) => [keyOf(code), { code, name }]))

function differences(before: ByKey, after: ByKey): EntryChanges | undefined {
  const onlyIn = (some: ByKey, others: ByKey) =>
    [...some].flatMap(([key, entry]) => (others.has(key) ? [] : [entry]))
  const renamed = [...after].flatMap(([key, entry]) => {
    const name = before.get(key)?.name ?? entry.name
    return name === entry.name ? [] : [{ ...entry, before: name }]
  })
  const changes = { appeared: onlyIn(after, before), gone: onlyIn(before, after), renamed }
  return Object.values(changes).every(list => list.length === 0) ? undefined : changes
}
