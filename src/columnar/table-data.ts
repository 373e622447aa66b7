/**
 * All columns and indexes of a columnar table: plain objects around typed arrays, as in its file. Rows are numbered from 0 in
 * served order.
 */
export interface TableData {
  readonly rows: number
  readonly ordering: OrderingDate
  readonly dictionaries: readonly DictionaryData[]
  /** Numbers, and all dates except the ordering date. */
  readonly ordered: readonly OrderedData[]
  /** Without the trailing digest if prerendered rows hold it. */
  readonly digests: readonly DigestData[]
  /** Absent if all rows together exceed the memory limit for them. */
  readonly prerendered: PrerenderedRows | undefined
}

/**
 * The codes of one column in row order. A loop that meets arrays of several types runs at a third of its speed, so there
 * are only two types, and nearly all columns have the first.
 */
export type Codes = Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>

/** Texts in UTF-8, one after another; text i lies in [starts[i], starts[i + 1]). */
export interface Texts {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly starts: Uint32Array<ArrayBuffer>
}

/** The date that orders the rows. It falls from row to row, so a range of dates is a range of rows. */
export interface OrderingDate {
  readonly name: string
  /** The distinct dates as days since 1970-01-01, descending. */
  readonly values: Int32Array<ArrayBuffer>
  /** Date i has the rows [starts[i], starts[i + 1]); rows without a date follow the last. */
  readonly starts: Uint32Array<ArrayBuffer>
}

/** A column of dates (days since 1970-01-01) or numbers. */
export interface OrderedData {
  readonly name: string
  readonly type: 'date' | 'number'
  /** The distinct values, ascending. */
  readonly values: Float64Array<ArrayBuffer>
  /** The value of each row as its index in `values`; `values.length` for null. */
  readonly codes: Codes
  /** Value i has starts[i + 1] - starts[i] rows, at [starts[i], starts[i + 1]) of the posting list. */
  readonly starts: Uint32Array<ArrayBuffer>
  /** Only for dates. */
  readonly index?: DateIndex
}

export interface DateIndex {
  /** The rows with a date, by date; in row order within a date. */
  readonly list: PostingList
  /** Rank indexes of dictionary columns over the list, by column name; only of columns with few values. */
  readonly rankIndexes: ReadonlyMap<string, RankIndex>
}

/** A column of dictionary-encoded strings. Codes follow the code-unit order of the values. */
export interface DictionaryData {
  readonly name: string
  /** Each value as JSON. */
  readonly texts: Texts
  readonly codes: Codes
  readonly search: SearchText
  readonly rankIndex: RankIndex
  /** The rows of each value in ascending order, value after value. Values with a bitmap are left out. */
  readonly list: PostingList
  /** Value i has the rows at [starts[i], starts[i + 1]) of the list. */
  readonly starts: Uint32Array<ArrayBuffer>
  /** The bitmaps of values so frequent that one bit per row takes less memory than a list. */
  readonly bitmaps: ReadonlyMap<number, Int32Array<ArrayBuffer>>
}

/** Row numbers in the order of an index. */
interface PostingList {
  readonly rows: Uint32Array<ArrayBuffer>
}

/** Counts how often each code occurs before every block of `1 << shift` entries of a sequence, and in all of it. */
export interface RankIndex {
  readonly shift: number
  /** The number of distinct codes. */
  readonly size: number
  /** `before[block * size + code]`; the last block is the end of the sequence. */
  readonly before: Uint32Array<ArrayBuffer>
}

/** The folded values of a dictionary as one text, with a NUL before and after each. */
export interface SearchText {
  /** Latin-1, or UTF-16 (`wide`) if Latin-1 does not suffice. */
  readonly text: Uint8Array<ArrayBuffer>
  readonly wide: boolean
  /** The start of each value in the text, and of one more value after the last. */
  readonly starts: Uint32Array<ArrayBuffer>
  /** Present if the text is long. */
  readonly trigrams?: TrigramIndex | undefined
}

/** Every position of a text, ordered by the three characters that start there. */
export interface TrigramIndex {
  /** The class of each UTF-16 unit; rare units share a class. */
  readonly classes: Uint8Array<ArrayBuffer>
  readonly classCount: number
  /** Trigram i, its three classes read as a number, has the entries [starts[i], starts[i + 1]) of `positions`. */
  readonly starts: Uint32Array<ArrayBuffer>
  readonly positions: Uint32Array<ArrayBuffer>
  /** The code of the value at each position; a separator belongs to the value after it. */
  readonly codes: Codes
}

/** The JSON of every row without the closing brace, in chunks of `1 << shift` rows. */
export interface PrerenderedRows {
  readonly shift: number
  readonly chunks: readonly Texts[]
  /** Whether the last column has digests. Rows then end with the 32 bytes in place of the name and 64 digits. */
  readonly endsWithDigest: boolean
}

export interface DigestData {
  readonly name: string
  /** 32 bytes per row. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Returns the distinct buffers of the data. */
export function buffersOf(data: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(data)) found.add(data.buffer as ArrayBuffer)
  else if (data instanceof Map) for (const part of data.values()) buffersOf(part, found)
  else if (typeof data === 'object' && data !== null)
    for (const part of Object.values(data)) buffersOf(part, found)
  return found
}
