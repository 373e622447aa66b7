import { distance } from 'fastest-levenshtein'
import { distanceMetres, type Point, pointOf } from '../../../query/geometry.ts'
import type { StoredRecord } from '../../../query/query.ts'
import { fold } from '../../../values/text.ts'
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

/** The first of some items, and the number of all. */
export interface Listed<T> {
  readonly count: number
  readonly first: readonly T[]
}

const { near, unplaced, idsReplaced, otherName, movedFar, shifted } = LIMITS

/** Compares a release that is being built with its baseline, record by record. */
export function compareWithBaseline(dataset: Importable, { records, fields }: BaselineContent) {
  const counter = () => createFieldCounter(dataset.record)
  const [all, before, now] = [counter(), counter(), counter()]
  const ids = records.size > 0 ? compareIds(dataset, records) : undefined
  return {
    /** `given` has the position of the source. Gives the metres by which the place moves, if they are many. */
    add(key: string, record: StoredRecord, given: StoredRecord): number | undefined {
      all.add(record)
      const known = records.get(key)
      if (known !== undefined) {
        before.add(known)
        now.add(record)
      }
      return ids?.add(key, known, given)
    },
    /** How many of all records so far have a value in each field. */
    filled: all.counts,
    /** What all records so far lose. */
    losses(): Losses {
      const lost = ids?.losses() ?? null
      const [were, are] =
        lost === null || lost.areReplaced ? [fields, all.counts()] : [before.counts(), now.counts()]
      return {
        fields: [...are].map(([field, now]) => ({ field, before: were.get(field) ?? 0, now })),
        records: lost,
      }
    },
  }
}

function compareIds(dataset: Importable, records: BaselineContent['records']) {
  const nameOf = (record: StoredRecord) => nameIn(dataset, record)
  const idByName = new Map([...records].map(([id, record]) => [fold(nameOf(record)), id]))
  const gone = new Set(records.keys())
  const come: string[] = []
  const renewed = new Set<string>()
  const [renamings, moves] = [createRenamings(), createMoves()]

  /** Near by its position; without one in the same parish; without either nearly nothing else changes. */
  function isWhereItWas(before: StoredRecord, now: StoredRecord): boolean {
    const from = pointOf(before)
    const { latitude, longitude, parish } = now
    if (from !== undefined && typeof latitude === 'number' && typeof longitude === 'number')
      return distanceMetres(from, { latitude, longitude }) <= near.metres
    if (typeof before.parish === 'string' && typeof parish === 'string')
      return fold(before.parish) === fold(parish)
    const [name = 'id'] = dataset.knownBy
    return Object.keys(changedFields(before, now)).filter(field => field !== name).length <= unplaced.changes
  }

  return {
    add(id: string, before: StoredRecord | undefined, now: StoredRecord): number | undefined {
      const name = nameOf(now)
      if (before === undefined) {
        come.push(id)
        const known = idByName.get(fold(name))
        if (known !== undefined) renewed.add(known)
        return undefined
      }
      gone.delete(id)
      renamings.add(id, nameOf(before), name, () => isWhereItWas(before, now))
      const [from, to] = [pointOf(before), pointOf(now)]
      return from && to && moves.add(id, name, from, to)
    },
    losses(): RecordLosses {
      const { renamed, mistaken } = renamings.found()
      const { moved, exchanged, ...others } = moves.found()
      const areReplaced = come.length > 0 && exceeds(gone.size, records.size, idsReplaced, records.size)
      return {
        ...{ gone: listed(gone), come: listed(come), areReplaced },
        sameNames: [...renewed].filter(id => gone.has(id)).length,
        ...{ renamed: listed(renamed), mistaken: listed(mistaken) },
        ...{ moved: listed(moved), exchanged: listed(exchanged), ...others },
      }
    },
  }
}

/** The name of a record for people: its id where it has none. */
export function nameIn(
  { knownBy: [field = 'id'] }: Pick<Importable, 'knownBy'>,
  record: StoredRecord,
): string {
  return String(record[field] || record.id)
}

/** Finds known ids that have another name, or another record's: fed with the names of each id before and now. */
function createRenamings() {
  const changed: { id: string; before: string; now: string; isOther: boolean; isGone: boolean }[] = []
  return {
    /** `stays` tells whether the record is still where it was. */
    add(id: string, before: string, now: string, stays: () => boolean): void {
      if (fold(before) === fold(now)) return
      const isOther = isAnother(before, now)
      changed.push({ id, before, now, isOther, isGone: isOther && !stays() })
    },
    /** A corrected spelling is no mistake. A name that another record has just lost is a mistake, even a similar one. */
    found() {
      const lost = new Map(changed.map(({ id, before }) => [fold(before), id]))
      const renamed: Renaming[] = []
      const mistaken: Renaming[] = []
      for (const { isOther, isGone, ...names } of changed) {
        const knownAs = lost.get(fold(names.now)) ?? null
        const isMistaken = knownAs !== null || isGone
        if (isMistaken) mistaken.push({ ...names, knownAs })
        if (isMistaken || isOther) renamed.push({ ...names, knownAs })
      }
      return { renamed, mistaken }
    },
  }
}

/** Letters that are compared. */
const LONGEST = 200

function isAnother(before: string, now: string): boolean {
  const [one, other] = [fold(before).slice(0, LONGEST), fold(now).slice(0, LONGEST)]
  // A name that says more, or less, is the same one.
  if (one.includes(other) || other.includes(one)) return false
  return distance(one, other) > Math.max(one.length, other.length) * otherName.share
}

interface Moved extends Move {
  readonly from: Point
  readonly to: Point
}

/** Finds how places move: fed with the positions of each place that is on the island before and now. */
function createMoves() {
  const all: Moved[] = []
  let placed = 0
  return {
    /** The metres, if they are many. */
    add(id: string, name: string, from: Point, to: Point): number | undefined {
      placed++
      if (spotOf(from) === spotOf(to)) return undefined
      const metres = Math.round(distanceMetres(from, to))
      all.push({ id, name, metres, from, to })
      return metres > near.metres ? metres : undefined
    },
    found: () => ({
      placed,
      moved: all
        .filter(({ metres }) => metres > near.metres)
        .map(({ id, name, metres }): Move => ({ id, name, metres })),
      movedFar: all.filter(({ metres }) => metres > movedFar.metres).length,
      exchanged: exchangesOf(all),
      shiftedMetres: shiftOf(all, placed),
    }),
  }
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

const LISTED = 20

/** The first of some items, with their number. */
export function listed<T>(items: Iterable<T>): Listed<T> {
  const all = [...items]
  return { count: all.length, first: all.slice(0, LISTED) }
}

/** Formats the first items in words: "a, b and 3 more". */
export function inWords<T>({ count, first }: Listed<T>, word: (item: T) => string, most = LISTED): string {
  const shown = first.slice(0, most)
  const more = count - shown.length
  return shown.map(word).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
