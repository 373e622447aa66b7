/** What a release loses and changes of the one before it, for the report. Lists are bounded; counts are true. */
export interface Losses {
  /** For every field, how many records had a value and how many have one now. Members follow dots (`owner.id`). */
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
  /** How many of the gone ids have records whose names are there under new ids. */
  readonly sameNames: number
  /** Known ids that other records seem to have now. */
  readonly renamed: Listed<Renaming>
  /** Places that moved further than 200 m. */
  readonly moved: Listed<Move>
  /** Records with coordinates before, on the island, and now: the places that could move. */
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

/** The first of some items, and the number of all. */
export interface Listed<T> {
  readonly count: number
  readonly first: readonly T[]
}

const LISTED = 20

/** Counts items and keeps the first. */
export function createList<T>() {
  const first: T[] = []
  let count = 0
  return {
    add(item: T): void {
      count++
      if (first.length < LISTED) first.push(item)
    },
    listed: (): Listed<T> => ({ count, first }),
  }
}

/** The first of some items, with their number. */
export function listed<T>(items: Iterable<T>): Listed<T> {
  const list = createList<T>()
  for (const item of items) list.add(item)
  return list.listed()
}

/** Formats the first items in words: "a, b and 3 more". */
export function inWords<T>({ count, first }: Listed<T>, word: (item: T) => string, most = LISTED): string {
  const shown = first.slice(0, most)
  const more = count - shown.length
  return shown.map(word).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
