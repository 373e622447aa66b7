import type { Codes, DayPart, ListedPart, WordPart } from '../indexes/table-data.ts'

/** A column of fewer words has bitmaps for most of its rows, and short lists. */
const FEWEST_LISTED = 2048

/** Puts codes of the other columns beside the lists of one with many words. */
export function besideWords(
  part: WordPart,
  words: readonly WordPart[],
  days: readonly DayPart[],
  fewestListed = FEWEST_LISTED,
): WordPart {
  if (part.tally.words < fewestListed) return part
  const besides = codesBeside(
    part.listed.rows,
    words.filter(({ name }) => name !== part.name),
  )
  for (const { name, codes } of days)
    if (codes instanceof Uint16Array) besides.set(name, pick(part.listed.rows, codes, Uint16Array))
  return { ...part, listed: { rows: part.listed.rows, beside: besides } }
}

/** Makes a list with codes of columns of words beside it. */
export function listBeside(rows: Uint32Array<ArrayBuffer>, words: readonly WordPart[]): ListedPart {
  return { rows, beside: codesBeside(rows, words) }
}

/** Those of columns with few words take a byte a row; others are not worth their memory. */
function codesBeside(rows: Uint32Array, words: readonly WordPart[]) {
  const few = words.filter(({ tally }) => tally.words <= 256)
  return new Map<string, Beside>(few.map(({ name, codes }) => [name, pick(rows, codes, Uint8Array)]))
}

type Beside = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>

function pick<T extends Beside>(rows: Uint32Array, codes: Codes, Kind: new (length: number) => T): T {
  const picked = new Kind(rows.length)
  for (let at = 0; at < rows.length; at++) picked[at] = codes[rows[at] as number] as number
  return picked
}
