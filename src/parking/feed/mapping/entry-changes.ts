import type { LiveEntry } from '../../../store/store.ts'

type NamedEntry = Pick<LiveEntry, 'code' | 'name'>

/**
 * Creates a detector that compares each list with the list before, the first one with `known`. It returns undefined if the
 * lists differ only in counts and order, or if there is no list before. Codes that were dropped as malformed count as present:
 * their fault is already a warning.
 */
export function detectEntryChanges(known?: readonly LiveEntry[]) {
  let before = known && byKey(known)
  return (entries: readonly LiveEntry[], droppedCodes: readonly string[]) => {
    const dropped = droppedCodes.flatMap(code => before?.get(code.toUpperCase()) ?? [])
    const [previous, current] = [before, byKey([...dropped, ...entries])]
    before = current
    return previous && differences(previous, current)
  }
}

type ByKey = Map<string, NamedEntry>

/** Codes are compared without regard to case, as everywhere (design 7). */
const byKey = (entries: readonly NamedEntry[]): ByKey =>
  new Map(entries.map(({ code, name }) => [code.toUpperCase(), { code, name }]))

/** The changes of the feed's list since the list before, for the operator; undefined if nothing changed. */
function differences(before: ByKey, after: ByKey) {
  const onlyIn = (some: ByKey, others: ByKey) =>
    [...some].flatMap(([key, entry]) => (others.has(key) ? [] : [entry]))
  const renamed = [...after].flatMap(([key, entry]) => {
    const name = before.get(key)?.name ?? entry.name
    return name === entry.name ? [] : [{ ...entry, before: name }]
  })
  const changes = { appeared: onlyIn(after, before), gone: onlyIn(before, after), renamed }
  return Object.values(changes).every(list => list.length === 0) ? undefined : changes
}
