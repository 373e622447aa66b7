import { distance } from 'fastest-levenshtein'
import { distanceMetres, type Point, pointOf } from '../../../query/geometry.ts'
import type { StoredRecord } from '../../../query/query.ts'
import { fold, type Listed, listed } from '../../../values/text.ts'
import { changedFields } from '../../diff/changes.ts'
import type { Importable } from '../importable.ts'
import { type BaselineContent, createFieldCounter } from './baseline.ts'
import { exceeds, LIMITS } from './limits.ts'

/** What a release loses and changes of the one before it, for the report. Lists are bounded; counts are true. */
export interface Losses {
  /**
   * For every field, how many records had a value and how many have one now: of the records that stay, or of all where
   * ids do not last. Members follow dots (`owner.id`).
   */
  readonly fields: readonly FieldChange[]
  /** Records by their ids; null where records have none that last. */
  readonly records: RecordLosses | null
}

export interface FieldChange {
  readonly field: string
  readonly before: number
  readonly now: number
}

export interface RecordLosses {
  /** Ids that the source does not have any more. */
  readonly gone: Listed<string>
  /** Ids that are new. */
  readonly come: Listed<string>
  /** True where so many ids are replaced that the records cannot be compared one by one. */
  readonly areReplaced: boolean
  /** How many of the gone ids have records whose names are there under new ids. */
  readonly sameNames: number
  /** Known ids under another name. */
  readonly renamed: Listed<Renaming>
  /** Those of them that stand for another record. */
  readonly mistaken: Listed<Renaming>
  /** Places that moved further than 200 m, and how many of them further than 2 km. */
  readonly moved: Listed<Move>
  readonly movedFar: number
  /** Places at the position that another one has left. */
  readonly exchanged: Listed<Exchange>
  /** The metres by which nearly all places move in one direction; null where they do not. */
  readonly shiftedMetres: number | null
  /** Records with a position on the island before and now: the places that could move. */
  readonly placed: number
}

export interface Renaming {
  readonly id: string
  readonly before: string
  readonly now: string
  /** The id under which the name was known; null where it was not. */
  readonly knownAs: string | null
}

export interface Move {
  readonly id: string
  readonly name: string
  readonly metres: number
}

export interface Exchange {
  readonly id: string
  readonly name: string
  /** The name of the place that was there. */
  readonly of: string
}

const { near, unplaced, idsReplaced, otherName, movedFar, shifted } = LIMITS

/** Compares a release that is being built with its baseline, record by record. */
export function compareWithBaseline(dataset: Importable, { records, fields }: BaselineContent) {
  const counter = () => createFieldCounter(dataset.record)
  const [all, before, now] = [counter(), counter(), counter()]
  const gone = new Map(records)
  /** New ids, each with its record's folded name. */
  const come = new Map<string, string>()
  const renamings: Renamed[] = []
  const moves: Moved[] = []
  let placed = 0

  function recordLosses(): RecordLosses {
    const { renamed, mistaken } = judged(renamings)
    const moved = moves.filter(({ metres }) => metres > near.metres)
    const names = new Set(come.values())
    return {
      ...{ gone: listed(gone.keys()), come: listed(come.keys()) },
      areReplaced: come.size > 0 && exceeds(gone.size, records.size, idsReplaced, records.size),
      sameNames: [...gone.values()].filter(record => names.has(fold(nameIn(dataset, record)))).length,
      ...{ renamed: listed(renamed), mistaken: listed(mistaken) },
      moved: listed(moved.map(({ id, name, metres }) => ({ id, name, metres }))),
      movedFar: moves.filter(({ metres }) => metres > movedFar.metres).length,
      exchanged: listed(exchangesOf(moves)),
      ...{ shiftedMetres: shiftOf(moves, placed), placed },
    }
  }

  return {
    /** `given` has the position of the source. Gives the metres by which the place moves, if they are many. */
    add(id: string, record: StoredRecord, given: StoredRecord): number | undefined {
      all.add(record)
      if (records.size === 0) return undefined
      const known = records.get(id)
      const name = nameIn(dataset, given)
      if (known === undefined) {
        come.set(id, fold(name))
        return undefined
      }
      gone.delete(id)
      before.add(known)
      now.add(record)
      const was = nameIn(dataset, known)
      if (fold(was) !== fold(name)) {
        const isOther = isAnother(was, name)
        const isGone = isOther && !isWhereItWas(dataset, known, given)
        renamings.push({ id, before: was, now: name, isOther, isGone })
      }
      const [from, to] = [pointOf(known), pointOf(given)]
      if (from === undefined || to === undefined) return undefined
      placed++
      if (spotOf(from) === spotOf(to)) return undefined
      const metres = Math.round(distanceMetres(from, to))
      moves.push({ id, name, metres, from, to })
      return metres > near.metres ? metres : undefined
    },
    /** How many of all records so far have a value in each field. */
    filled: all.counts,
    /** What all records so far lose. */
    losses(): Losses {
      const lost = records.size > 0 ? recordLosses() : null
      const [were, are] =
        lost === null || lost.areReplaced ? [fields, all.counts()] : [before.counts(), now.counts()]
      return {
        fields: [...are].map(([field, now]) => ({ field, before: were.get(field) ?? 0, now })),
        records: lost,
      }
    },
  }
}

/** Whether a record is near by its position; without one in the same parish; without either, nearly nothing else changes. */
function isWhereItWas(
  { knownBy: [name = 'id'] }: Importable,
  before: StoredRecord,
  now: StoredRecord,
): boolean {
  const from = pointOf(before)
  const { latitude, longitude, parish } = now
  if (from !== undefined && typeof latitude === 'number' && typeof longitude === 'number')
    return distanceMetres(from, { latitude, longitude }) <= near.metres
  if (typeof before.parish === 'string' && typeof parish === 'string')
    return fold(before.parish) === fold(parish)
  return Object.keys(changedFields(before, now)).filter(field => field !== name).length <= unplaced.changes
}

/** The name of a record for people: its id where it has none. */
export function nameIn(
  { knownBy: [field = 'id'] }: Pick<Importable, 'knownBy'>,
  record: StoredRecord,
): string {
  return String(record[field] || record.id)
}

/** A known id under another name. */
interface Renamed extends Omit<Renaming, 'knownAs'> {
  /** Whether the name is more than another spelling, and whether the record is not where it was, either. */
  readonly isOther: boolean
  readonly isGone: boolean
}

/** A corrected spelling is no mistake. A name that another record has just lost is a mistake, even a similar one. */
function judged(renamings: readonly Renamed[]) {
  const lost = new Map(renamings.map(({ id, before }) => [fold(before), id]))
  const renamed: Renaming[] = []
  const mistaken: Renaming[] = []
  for (const { isOther, isGone, ...names } of renamings) {
    const knownAs = lost.get(fold(names.now)) ?? null
    const isMistaken = knownAs !== null || isGone
    if (isMistaken) mistaken.push({ ...names, knownAs })
    if (isMistaken || isOther) renamed.push({ ...names, knownAs })
  }
  return { renamed, mistaken }
}

/** Letters that are compared. */
const LONGEST = 200

function isAnother(before: string, now: string): boolean {
  const [one, other] = [fold(before).slice(0, LONGEST), fold(now).slice(0, LONGEST)]
  // A name that says more, or less, is the same one.
  if (one.includes(other) || other.includes(one)) return false
  return distance(one, other) > Math.max(one.length, other.length) * otherName.share
}

/** A place that is on the island before and now, at another position. */
interface Moved extends Move {
  readonly from: Point
  readonly to: Point
}

/** A position to the metre. */
const spotOf = ({ latitude, longitude }: Point) => `${latitude.toFixed(5)} ${longitude.toFixed(5)}`

/** The places that are where another one was that has moved too. */
function exchangesOf(moves: readonly Moved[]): Exchange[] {
  const left = new Map(moves.map(move => [spotOf(move.from), move]))
  return moves.flatMap(({ id, name, to }) => {
    const other = left.get(spotOf(to))
    return other === undefined || other.id === id ? [] : [{ id, name, of: other.name }]
  })
}

/** Moves that differ by less than this share of the length are one vector: sources round their coordinates. */
const ALIKE = 1 / 10

/** The distance by which nearly all places move in one direction; null if they do not, or not far. */
function shiftOf(moves: readonly Moved[], placed: number) {
  const { least, share, metres } = shifted
  const middle = (of: keyof Point) =>
    moves.map(({ from, to }) => to[of] - from[of]).toSorted((one, other) => one - other)[moves.length >> 1] ??
    0
  const [north, east] = [middle('latitude'), middle('longitude')]
  const toShifted = ({ latitude, longitude }: Point, to: Point) =>
    distanceMetres({ latitude: latitude + north, longitude: longitude + east }, to)
  const length = Math.round(moves[0] === undefined ? 0 : toShifted(moves[0].from, moves[0].from))
  const alike = moves.filter(({ from, to }) => toShifted(from, to) <= length * ALIKE)
  return length >= metres && alike.length >= Math.max(least, placed * share) ? length : null
}
