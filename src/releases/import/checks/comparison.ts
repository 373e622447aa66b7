import { distance } from 'fastest-levenshtein'
import { distanceMetres, pointOf } from '../../../query/geometry.ts'
import type { Point, StoredRecord } from '../../../query/query.ts'
import { fold, type Listed, listed } from '../../../values/text.ts'
import { changedFields } from '../../diff/changes.ts'
import type { Importable } from '../importable.ts'
import { type BaselineContent, createFieldCounter } from './baseline.ts'
import { exceeds, LIMITS } from './limits.ts'

/** The losses and changes since the previous release, for the report. Lists are bounded; counts are complete. */
export interface Losses {
  /**
   * For every field, the number of records with a value before and now: among the records that stay, or among all
   * records if ids do not last. Members follow dots (`owner.id`).
   */
  readonly fields: readonly FieldChange[]
  /** Records by id; null if records have no lasting ids. */
  readonly records: RecordLosses | null
}

export interface FieldChange {
  readonly field: string
  readonly before: number
  readonly now: number
}

export interface RecordLosses {
  /** Ids that the source no longer has. */
  readonly gone: Listed<string>
  /** Ids that are new. */
  readonly come: Listed<string>
  /** True if too many ids are replaced to compare the records one by one. */
  readonly areReplaced: boolean
  /** The number of gone ids whose names reappear under new ids. */
  readonly sameNames: number
  /** Known ids with another name. */
  readonly renamed: Listed<Renaming>
  /** Renamed ids that stand for another record. */
  readonly mistaken: Listed<Renaming>
  /** Places that moved further than 200 m, and the number that moved further than 2 km. */
  readonly moved: Listed<Move>
  readonly movedFar: number
  /** Places at a position that another place has left. */
  readonly exchanged: Listed<Exchange>
  /** How many metres nearly all places move in one direction, or null. */
  readonly shiftedMetres: number | null
  /** The number of records with a position on the island before and now: the places that could move. */
  readonly placed: number
}

export interface Renaming {
  readonly id: string
  readonly before: string
  readonly now: string
  /** The id that had this name before, or null. */
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
  /** The name of the place that was there before. */
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
      gone: listed(gone.keys()),
      come: listed(come.keys()),
      areReplaced: come.size > 0 && exceeds(gone.size, records.size, idsReplaced, records.size),
      sameNames: [...gone.values()].filter(record => names.has(fold(nameIn(dataset, record)))).length,
      renamed: listed(renamed),
      mistaken: listed(mistaken),
      moved: listed(moved.map(({ id, name, metres }) => ({ id, name, metres }))),
      movedFar: moves.filter(({ metres }) => metres > movedFar.metres).length,
      exchanged: listed(exchangesOf(moves)),
      shiftedMetres: shiftOf(moves, placed),
      placed,
    }
  }

  return {
    /** `given` has the position of the source. Returns how many metres the place moves, if it moves far. */
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
    /** The number of records so far that have a value in each field. */
    filled: all.counts,
    /** The losses of all records so far. */
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

/**
 * Whether a record is where it was: near by position, else in the same parish; without either, hardly any other field
 * changes.
 */
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

/** The name of a record for people, or its id if the name is empty. */
export function nameIn(
  { knownBy: [field = 'id'] }: Pick<Importable, 'knownBy'>,
  record: StoredRecord,
): string {
  return String(record[field] || record.id)
}

/** A known id with another name. */
interface Renamed extends Omit<Renaming, 'knownAs'> {
  /** `isOther`: more than the spelling differs. `isGone`: the record is also not where it was. */
  readonly isOther: boolean
  readonly isGone: boolean
}

/** A corrected spelling is not a mistake. A name that another record has just lost is a mistake, even a similar name. */
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

/** The number of letters that are compared. */
const LONGEST = 200

function isAnother(before: string, now: string): boolean {
  const [one, other] = [fold(before).slice(0, LONGEST), fold(now).slice(0, LONGEST)]
  // A longer or shorter form of a name is the same name.
  if (one.includes(other) || other.includes(one)) return false
  return distance(one, other) > Math.max(one.length, other.length) * otherName.share
}

/** A place on the island before and now, at another position. */
interface Moved extends Move {
  readonly from: Point
  readonly to: Point
}

/** A position to the metre. */
const spotOf = ({ latitude, longitude }: Point) => `${latitude.toFixed(5)} ${longitude.toFixed(5)}`

/** The places that are now where another moved place was. */
function exchangesOf(moves: readonly Moved[]): Exchange[] {
  const left = new Map(moves.map(move => [spotOf(move.from), move]))
  return moves.flatMap(({ id, name, to }) => {
    const other = left.get(spotOf(to))
    return other === undefined || other.id === id ? [] : [{ id, name, of: other.name }]
  })
}

/** Moves that differ by less than this share of the length count as one vector: sources round their coordinates. */
const ALIKE = 1 / 10

/** The distance that nearly all places move in one direction; null without such a move, or for a short one. */
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
