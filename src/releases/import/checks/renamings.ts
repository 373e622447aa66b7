import { distance } from 'fastest-levenshtein'
import { fold } from '../../../values/text.ts'
import type { Limits } from './limits.ts'
import type { Renaming } from './losses.ts'

/** Letters that are compared. */
const LONGEST = 200

/** Finds known ids that have another name, or another record's: fed with the names of each id before and now. */
export function createRenamings({ otherName }: Pick<Limits, 'otherName'>) {
  const changed: { id: string; before: string; now: string; isOther: boolean; stays: boolean }[] = []
  return {
    /** `stays` tells whether the record is still where it was. */
    add(id: string, before: string, now: string, stays: () => boolean): void {
      if (fold(before) === fold(now)) return
      const isOther = isAnother(before, now, otherName.share)
      changed.push({ id, before, now, isOther, stays: !isOther || stays() })
    },
    /** A corrected spelling is no mistake. A name that another record has just lost is a mistake, even a similar one. */
    found() {
      const lost = new Map(changed.map(({ id, before }) => [fold(before), id]))
      const all = changed.map(({ isOther, stays, ...names }) => {
        const knownAs = lost.get(fold(names.now)) ?? null
        return { names: { ...names, knownAs }, isMistaken: knownAs !== null || !stays, isOther }
      })
      const namesOf = (some: typeof all): Renaming[] => some.map(({ names }) => names)
      return {
        renamed: namesOf(all.filter(({ isOther, isMistaken }) => isOther || isMistaken)),
        mistaken: namesOf(all.filter(({ isMistaken }) => isMistaken)),
      }
    },
  }
}

function isAnother(before: string, now: string, share: number): boolean {
  const [one, other] = [fold(before).slice(0, LONGEST), fold(now).slice(0, LONGEST)]
  // A name that says more, or less, is the same one.
  if (one.includes(other) || other.includes(one)) return false
  return distance(one, other) > Math.max(one.length, other.length) * share
}
