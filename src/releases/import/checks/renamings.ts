import { distance } from 'fastest-levenshtein'
import { fold } from '../../../values/text.ts'
import type { Renaming } from './losses.ts'

/** Names differ altogether if more than this share of the letters does: decision 0035 has the measurements. */
const ALTOGETHER = 1 / 2
/** Letters that are compared. */
const LONGEST = 200

/** Finds ids that another record has now: fed with the name of each known id before and now. */
export function createRenamings(before: ReadonlyMap<string, string>) {
  const changed = new Map<string, { before: string; now: string }>()
  const kept = new Set<string>()
  return {
    add(id: string, now: string): void {
      const known = before.get(id)
      if (known === undefined) return
      if (fold(known) === fold(now)) kept.add(id)
      else changed.set(id, { before: known, now })
    },
    /** A corrected spelling is none; a name that was another id's, which lost it, is one however near it is. */
    found(): Renaming[] {
      const lost = new Map<string, string>()
      for (const [id, name] of before) if (!kept.has(id)) lost.set(fold(name), id)
      return [...changed].flatMap(([id, names]) => {
        const knownAs = lost.get(fold(names.now)) ?? null
        return knownAs !== null || isAnother(names.before, names.now) ? [{ id, ...names, knownAs }] : []
      })
    },
  }
}

function isAnother(before: string, now: string): boolean {
  const [one, other] = [fold(before).slice(0, LONGEST), fold(now).slice(0, LONGEST)]
  // A name that says more, or less, is the same one.
  if (one.includes(other) || other.includes(one)) return false
  return distance(one, other) > Math.max(one.length, other.length) * ALTOGETHER
}
