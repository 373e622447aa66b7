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
