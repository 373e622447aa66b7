import type { WaveletMatrix } from './wavelet-matrix.ts'

/**
 * What a register is made of: plain objects around typed arrays, which one thread builds and hands to another without
 * copying. Rows are numbered from 0 in served order.
 */
export interface Parts {
  readonly rows: number
  readonly order: OrderPart
  readonly words: readonly WordPart[]
  readonly days: readonly DayPart[]
  readonly pairs: readonly PairPart[]
  /** Every row's JSON; where that would be too large, what makes it is kept instead. */
  readonly content: ReadyPart | LoosePart
}

/**
 * Codes of one column in the order of rows. A loop that meets arrays of several types runs at a third of its speed, so
 * there are two types, of which nearly all columns have the first.
 */
export type Codes = Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>

/** Texts in UTF-8, one after another; text i lies in [starts[i], starts[i + 1]). */
export interface Texts {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly starts: Uint32Array<ArrayBuffer>
}

/** The day that rows are ordered by. As it falls from row to row, each of its days is a stretch of rows. */
export interface OrderPart {
  readonly name: string
  /** The distinct days, falling. */
  readonly days: Int32Array<ArrayBuffer>
  /** Day i has the rows in [starts[i], starts[i + 1]); rows without the day follow the last. */
  readonly starts: Uint32Array<ArrayBuffer>
}

/** Another column of days. */
export interface DayPart {
  readonly name: string
  /** The distinct days, rising. */
  readonly days: Int32Array<ArrayBuffer>
  /** The day of each row as its place in `days`; `days.length` for none. */
  readonly codes: Codes
  /** The rows that have the day, ordered by it, and those of one day by number. */
  readonly listed: ListedPart
  /** Day i has the places in [starts[i], starts[i + 1]) of the list. */
  readonly starts: Uint32Array<ArrayBuffer>
  /** The numbers of the rows in the list, to find those of a slice in served order. */
  readonly matrix: WaveletMatrix
  /** How often words occur in the list, by the name of their column; not kept for columns of very many words. */
  readonly tallies: ReadonlyMap<string, Tally>
}

/** A column of words. Codes follow the code-unit order of the words. */
export interface WordPart {
  readonly name: string
  /** Each word as JSON. */
  readonly texts: Texts
  readonly codes: Codes
  readonly search: SearchPart
  readonly tally: Tally
  /** The rows of each word in rising order, word by word, but for those that have a bitmap. */
  readonly listed: ListedPart
  /** Word i has the places in [starts[i], starts[i + 1]) of the list. */
  readonly starts: Uint32Array<ArrayBuffer>
  /** Of the words so frequent that a bit for every row takes less than their rows would: those bits. */
  readonly bitmaps: ReadonlyMap<number, Int32Array<ArrayBuffer>>
}

/** How often the words of two columns stand in one row. */
export interface PairPart {
  /** The names of the columns. */
  readonly one: string
  readonly another: string
  /** `counts[code of one * words of another + code of another]`. */
  readonly counts: Uint32Array<ArrayBuffer>
}

/** Rows in an order of their own. */
export interface ListedPart {
  readonly rows: Uint32Array<ArrayBuffer>
  /** The codes that other columns have in those rows, in the order of the list, by the name of the column. */
  readonly beside: ReadonlyMap<string, Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>>
}

/** How often each word occurs before every block of `1 << shift` entries of a sequence, and in all of it. */
export interface Tally {
  readonly shift: number
  readonly words: number
  /** `before[block * words + code]`; the last block is the end of the sequence. */
  readonly before: Uint32Array<ArrayBuffer>
}

/** The folded words, searched as one text in which a NUL stands before and after each. */
export interface SearchPart {
  /** Latin-1, or UTF-16 where that does not suffice. */
  readonly text: Uint8Array<ArrayBuffer>
  readonly wide: boolean
  /** Where each word starts in the text, and where a further one would. */
  readonly starts: Uint32Array<ArrayBuffer>
  /** Present where the text is long. */
  readonly grams?: GramsPart
}

/** Every place in a text, ordered by the three characters that start there. */
export interface GramsPart {
  /** The class of each UTF-16 unit; rare ones share a class. */
  readonly classes: Uint8Array<ArrayBuffer>
  readonly classCount: number
  /** Three characters' classes, read as a number, have the places in [starts[i], starts[i + 1]) of `places`. */
  readonly starts: Uint32Array<ArrayBuffer>
  readonly places: Uint32Array<ArrayBuffer>
  /** The word at each of the places; a separator belongs to the word after it. */
  readonly words: Codes
}

/** The rows as they are sent, but for the brace at their end, in chunks of `1 << shift` rows. */
export interface ReadyPart {
  readonly kind: 'ready'
  readonly shift: number
  readonly chunks: readonly Texts[]
  /** Whether the last column is of digests, and rows end with its 32 bytes in place of its name and 64 digits. */
  readonly endsWithDigest: boolean
}

/** What else rows are put together from. */
export interface LoosePart {
  readonly kind: 'loose'
  readonly numbers: readonly NumberPart[]
  readonly digests: readonly DigestPart[]
  /** The distinct days of each column of days as JSON, and last what stands for none. */
  readonly dayTexts: ReadonlyMap<string, Texts>
}

export interface NumberPart {
  readonly name: string
  /** The distinct numbers, and null, as JSON. */
  readonly texts: Texts
  readonly codes: Codes
}

export interface DigestPart {
  readonly name: string
  /** 32 bytes a row. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Gives all memory that parts lie in, each piece once. */
export function buffersOf(parts: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(parts)) found.add(parts.buffer as ArrayBuffer)
  else if (parts instanceof Map) for (const part of parts.values()) buffersOf(part, found)
  else if (typeof parts === 'object' && parts !== null)
    for (const part of Object.values(parts)) buffersOf(part, found)
  return found
}
