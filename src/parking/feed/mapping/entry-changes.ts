import type { LiveEntry } from '../../../store/store.ts'

type NamedEntry = Pick<LiveEntry, 'code' | 'name'>

/**
 * Creates a detector that compares each list with the one before, at first with a known list or none. It returns undefined
 * where the list is the same as before but for counts and order, or is the first. Codes that were dropped as malformed count
 * as present: their fault is a warning already.
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

/** The differences of the feed's list from the one before, for the operator; undefined where there are none. */
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
