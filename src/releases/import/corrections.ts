import { isDeepStrictEqual } from 'node:util'
import { ISLAND } from '../../island/island.ts'
import type { StoredRecord } from '../../query/query.ts'
import type { Corrected } from '../../store/store.ts'
import { nameIn } from './checks/comparison.ts'
import type { Importable } from './importable.ts'

/** A value that the operator states in place of the source's. */
export interface Correction {
  readonly id: string
  readonly field: string
  /** Coerced as a value of the source is. */
  readonly value: unknown
  /** The last day of the correction (ISO 8601, by the island's clock); null: until the line is removed from the file. */
  readonly until: string | null
  readonly why: string
}

/** Whether a correction applies at an instant. */
export const isInForce = ({ until }: Pick<Correction, 'until'>, now: Date): boolean =>
  until === null || until >= ISO_DATE.format(now)

/** The Canadian form of dates is ISO 8601's. */
const ISO_DATE = new Intl.DateTimeFormat('en-CA', { timeZone: ISLAND.timeZone })

/** Applies corrections to the records of one import. */
export function startCorrecting(dataset: Importable, all: readonly Correction[], now: Date) {
  const inForce = all.filter(correction => isInForce(correction, now))
  const corrected = new Map<Correction, Corrected>()
  const needless = new Set<Correction>()
  const shown = ({ field, id }: Correction) => `the correction of ${field} of ${id}`
  const reasonOf = (correction: Correction) => {
    if (!inForce.includes(correction)) return `ended on ${correction.until}`
    if (needless.has(correction)) return 'is no longer needed: the source has this value'
    return corrected.has(correction) ? undefined : 'is not applied: the source has no record with this id'
  }
  return {
    /** The record with the values of its corrections. */
    correct(key: string, given: StoredRecord): StoredRecord {
      const own = inForce.filter(({ id }) => id === key)
      if (own.length === 0) return given
      for (const correction of own) {
        const { value, ...told } = correction
        if (isDeepStrictEqual(given[told.field], value)) needless.add(correction)
        else corrected.set(correction, Object.assign(told, { name: nameIn(dataset, { id: key, ...given }) }))
      }
      return { ...given, ...Object.fromEntries(own.map(({ field, value }) => [field, value])) }
    },
    /** The fields whose values are not those of the source. */
    corrected: (): readonly Corrected[] => [...corrected.values()],
    /** Why corrections were not applied, a sentence each. */
    notes: (): string[] =>
      all.flatMap(correction => {
        const reason = reasonOf(correction)
        return reason === undefined ? [] : [`${shown(correction)} ${reason}`]
      }),
  }
}
