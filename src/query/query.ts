/** A record as it is stored and served: plain JSON values in the shape of the contract. */
export type StoredRecord = Readonly<Record<string, unknown>>

/** A value to filter, sort or group records by. */
export type Value = string | number | boolean | null

/** One condition on the records of a collection. A query's conditions are joined by "and". */
export type Filter = ContainsFilter | EqualsFilter | RangeFilter | WordsFilter

/** The folded value contains the folded text ("é" matches "E"); every character of the text is plain. */
export interface ContainsFilter {
  readonly field: string
  readonly contains: string
}

/** The value equals this one; texts are compared folded, and a list equals each of its entries. */
export interface EqualsFilter {
  readonly field: string
  readonly equals: string | number | boolean
}

/**
 * The value lies in the range, both ends inclusive: numbers, or calendar dates as `YYYY-MM-DD`. Null lies in no range.
 */
export interface RangeFilter {
  readonly field: string
  readonly from?: number | string | undefined
  readonly to?: number | string | undefined
}

/** Each of the words, as {@link wordsOf} finds them, is in at least one of the folded fields, whole or as a part. */
export interface WordsFilter {
  readonly words: string
  readonly fields: readonly string[]
}

/** A field to sort by. Null comes last in either direction; texts sort by UTF-16 code units. */
export interface SortKey {
  readonly field: string
  readonly direction: 'ascending' | 'descending'
}

/** A position in degrees (WGS 84). */
export interface Point {
  readonly latitude: number
  readonly longitude: number
}

/** A box in degrees (WGS 84). */
export interface Box {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** A geographical filter: a box, a radius round a point, or both. */
export interface Area {
  /** A box with west greater than east spans the 180th meridian. */
  readonly box?: Box | undefined
  /** Results come nearest first unless the query sorts them, each with its distance in whole metres as `distanceMetres`. */
  readonly near?: (Point & { readonly radiusMetres?: number | undefined }) | undefined
  /** Whether records without a position match a box too, since they may lie in it; they never match a point. */
  readonly orUnknown?: true
}

/** Selects records of a collection. */
export interface Selection {
  readonly filters?: readonly Filter[]
  readonly place?: Area | undefined
}

/** A query of a collection, as data: the selection, the order, the page and the fields. */
export interface Query extends Selection {
  /** Records that are equal by every key stay in served order; without keys, all are in served order. */
  readonly sort?: readonly SortKey[]
  /** The number of selected records to skip; 0 where absent. */
  readonly offset?: number
  /** The most records to return; all where absent. */
  readonly limit?: number | undefined
  /** The fields to return, in the order of the schema; all where absent. */
  readonly fields?: readonly string[] | undefined
}

/** Counts the selected records by the values of one or more keys. */
export interface CountQuery extends Selection {
  readonly by: readonly CountKey[]
}

/** A key to count records by: the name of a field, or a part of a field's dates. */
export type CountKey = string | DatePartKey

/** The year of a date, such as 2024, or its month, such as "2024-03"; null if the date is null. */
export interface DatePartKey {
  readonly field: string
  readonly part: DatePart
}

export type DatePart = 'year' | 'month'

/** The year of a timestamp, as a number, or its month, as `YYYY-MM`; both in UTC. */
export const datePart = (timestamp: string, part: DatePart): number | string =>
  part === 'year' ? Number(timestamp.slice(0, 4)) : timestamp.slice(0, 7)
