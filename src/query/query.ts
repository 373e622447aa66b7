import type { MaybePromise } from '../values/promises.ts'

/** A record as it is stored and served: plain JSON values in the shape of the contract. */
export type StoredRecord = Readonly<Record<string, unknown>>

/** A value to filter, sort or group records by. */
export type Value = string | number | boolean | null

/** One condition on the records of a collection. A query's conditions are joined by "and". */
export type Filter = ContainsFilter | EqualsFilter | RangeFilter | WordsFilter

/** The folded value contains the folded text ("é" matches "E"); every character of the text is plain. */
interface ContainsFilter {
  readonly field: string
  readonly contains: string
}

/** The value equals this one, or one of several texts. Texts are compared folded, and a list equals each of its entries. */
export interface EqualsFilter {
  readonly field: string
  readonly equals: string | number | boolean | readonly string[]
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
  /** Whether each record has its provenance; only for records in memory. */
  readonly provenance?: boolean
}

/** Counts the selected records by the values of one or more keys, and measures fields of numbers in each group. */
export interface CountQuery extends Selection {
  readonly by: readonly CountKey[]
  /** The fields to measure; none where absent. */
  readonly of?: readonly string[]
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

/** The result of a query. */
export interface Result {
  /** The exact number of selected records on all pages. */
  readonly total: number
  /** The page's records in batches. Each is created when the reader requests it, so a slow reader delays only itself. */
  batches(): AsyncIterable<RowBatch>
  /**
   * The page's records as JSON texts in UTF-8, joined by commas, between `before` and `after`, in one Buffer: for pages
   * that fit in memory.
   */
  json(before?: string, after?: string): Buffer
}

/** Consecutive records of a result, as objects or as JSON. */
export interface RowBatch {
  readonly length: number
  records(): readonly StoredRecord[]
  /** The same records as JSON texts in UTF-8, joined by commas. */
  json(): Buffer
}

/** The groups of a count. There may be a hundred thousand, so groups become values only when they are read. */
export interface Groups {
  readonly length: number
  /** The memory of the groups; an estimate if they are already values. */
  readonly bytes: number
  slice(from?: number, to?: number): Group[]
  /** The sum of all counts, or of the counts from an index on. */
  sum(from?: number): number
}

/**
 * The values of the keys counted by, in the requested order; the four {@link MEASURES} of each measured field; and the number
 * of records.
 */
export type Group = readonly [...values: Value[], count: number]

/**
 * How many records of a group have a value of a field, and the sum, the least and the greatest of these values, which are null
 * without any. The last digits of a sum of decimals depend on the order in which an engine adds: {@link roundedSum} is the same.
 */
export const MEASURES = ['values', 'sum', 'min', 'max'] as const

/** A sum without the digits that adding decimals makes up, so 0.1 and 0.2 make 0.3. Whole numbers keep all digits. */
export const roundedSum = (sum: number): number =>
  Number.isSafeInteger(sum) ? sum : Number(sum.toPrecision(12))

export const countOf = (group: Group): number => Number(group.at(-1))

/**
 * Executes queries against one release of a dataset. Every engine (columnar in memory, SQL, a list in memory) gives the
 * same results. Throws RangeError for a field that does not exist or lacks the capability.
 */
export interface Collection {
  execute(query: Query): MaybePromise<Result>
  /** The groups in descending order of count, ties by the values' code-unit order. */
  count(query: CountQuery): MaybePromise<Groups>
}

/** A slow client holds one batch in memory, and a record may have several kilobytes. */
const BATCH_LENGTH = 20

/** Records in memory as one batch. */
export const batchOf = (records: readonly StoredRecord[]): RowBatch => ({
  length: records.length,
  records: () => records,
  json: () => Buffer.from(JSON.stringify(records).slice(1, -1)),
})

/** Gathers records into batches. No batch is empty. */
export async function* batchesOf(
  records: AsyncIterable<StoredRecord> | Iterable<StoredRecord>,
): AsyncGenerator<RowBatch> {
  let batch: StoredRecord[] = []
  for await (const record of records) {
    batch.push(record)
    if (batch.length < BATCH_LENGTH) continue
    yield batchOf(batch)
    batch = []
  }
  if (batch.length > 0) yield batchOf(batch)
}

/** A result whose page is in memory. */
export const heldResult = (total: number, page: readonly StoredRecord[]): Result => ({
  total,
  json: (before = '', after = '') => Buffer.from(before + JSON.stringify(page).slice(1, -1) + after),
  batches: () => batchesOf(page),
})

/** An array with room to grow, and three texts. */
const GROUP_BYTES = 300

/** Groups that are already values in memory. */
export const heldGroups = (groups: readonly Group[]): Groups => ({
  length: groups.length,
  bytes: groups.length * GROUP_BYTES,
  slice: (from, to) => groups.slice(from, to),
  sum: from => groups.slice(from).reduce((sum, group) => sum + countOf(group), 0),
})
