import { newCodes } from './row-set.ts'
import type { SearchText, TrigramIndex } from './table-data.ts'

/** The character before and after each value. No folded text contains it. */
export const SEPARATOR = '\0'

/** Finds the codes of a dictionary's values by folded text. The next search overwrites the returned array. */
export interface DictionarySearch {
  containing(folded: string): Uint32Array
  equalTo(folded: string): Uint32Array
}

/** Opens the search in a dictionary. */
export function openDictionarySearch(data: SearchText): DictionarySearch {
  const { trigrams, starts } = data
  const bytes = Buffer.from(data.text.buffer, data.text.byteOffset, data.text.byteLength)
  const units = data.wide ? new Uint16Array(data.text.buffer) : data.text
  const found = new Uint32Array(starts.length - 1)
  const isFound = new Uint8Array(found.length)
  let text: string | undefined

  /** `skip` is where the matching value starts within the needle. */
  function find(needle: string, skip: number): Uint32Array {
    const candidates = trigrams && candidatesFor(trigrams, needle)
    // Jumping between positions pays off only if there are few positions, or if they need no comparison.
    const isCheap =
      candidates && (candidates.areExact || (candidates.to - candidates.from) * JUMP_COST < units.length)
    if (trigrams && candidates && isCheap)
      return found.subarray(0, searchCandidates(trigrams, candidates, units, needle, found, isFound))
    text ??= bytes.toString(data.wide ? 'utf16le' : 'latin1')
    return found.subarray(0, searchText(text, starts, needle, skip, found))
  }

  return {
    containing: folded => find(folded, 0),
    equalTo: folded => find(SEPARATOR + folded + SEPARATOR, SEPARATOR.length),
  }
}

/** A jump to a position takes as long as the scan of this many characters. */
const JUMP_COST = 32

/** Scans the text from value to value; returns the number of codes found. */
function searchText(
  text: string,
  starts: Uint32Array,
  needle: string,
  skip: number,
  found: Uint32Array,
): number {
  const values = starts.length - 1
  let count = 0
  let code = 0
  for (let at = text.indexOf(needle); at >= 0 && code < values; at = text.indexOf(needle, at)) {
    while (code < values && (starts[code + 1] as number) <= at + skip) code++
    if (code === values) break
    found[count++] = code
    // Continue from the separator before the next value.
    at = (starts[++code] as number) - 1
  }
  return count
}

const LENGTH = 3
/** Bounds the memory for all triples of classes. */
const MAX_CLASSES = 64
/** The number of UTF-16 units. */
const UNITS = 1 << 16
/** The class of units that do not occur in the text. */
const ABSENT = 255

/** Indexes a text in which value i starts at `starts[i]`. */
export function buildTrigramIndex(text: string, starts: Uint32Array): TrigramIndex {
  const { length } = text
  const classes = classesOf(text)
  const classCount = 1 + classes.reduce((most, one) => (one === ABSENT ? most : Math.max(most, one)), 0)
  const triples = classCount ** LENGTH
  const pairs = triples / classCount
  // Read from the end of the text, each unit changes the trigram by one step.
  const previous = (trigram: number, at: number) =>
    Math.trunc(trigram / classCount) + (classes[text.charCodeAt(at)] as number) * pairs
  const trigramStarts = new Uint32Array(triples + 1)
  // Beyond the end of the text, units count as separators, whose class is 0.
  for (let at = length - 1, trigram = 0; at >= 0; at--) {
    trigram = previous(trigram, at)
    trigramStarts[trigram] = (trigramStarts[trigram] as number) + 1
  }
  for (let trigram = 1; trigram <= triples; trigram++)
    trigramStarts[trigram] = (trigramStarts[trigram] as number) + (trigramStarts[trigram - 1] as number)
  const positions = new Uint32Array(length)
  const codes = newCodes(length, starts.length)
  // Each start begins at the end of its trigram's positions and moves down with every one of them.
  for (let at = length - 1, trigram = 0, code = starts.length - 1; at >= 0; at--) {
    if (at === (starts[code] as number) - 2) code--
    trigram = previous(trigram, at)
    const index = (trigramStarts[trigram] as number) - 1
    trigramStarts[trigram] = index
    positions[index] = at
    codes[index] = code
  }
  return { classes, classCount, starts: trigramStarts, positions, codes }
}

/** Each of the most frequent units has its own class, the separator the first; all other units share the last class. */
function classesOf(text: string): Uint8Array<ArrayBuffer> {
  const counts = new Uint32Array(UNITS)
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    counts[unit] = (counts[unit] as number) + 1
  }
  const present: number[] = []
  for (let unit = 1; unit < UNITS; unit++) if (counts[unit] !== 0) present.push(unit)
  const frequent = [...present].sort((one, other) => (counts[other] as number) - (counts[one] as number))
  const classes = new Uint8Array(1 + (present.at(-1) ?? 0)).fill(ABSENT)
  classes[0] = 0
  for (const [rank, unit] of frequent.entries()) classes[unit] = Math.min(rank + 1, MAX_CLASSES - 1)
  return classes
}

/** The positions of a text where a needle, or a certain part of the needle, may be. */
interface TextPositions {
  readonly from: number
  readonly to: number
  /** The distance of the positions from the start of the needle. */
  readonly within: number
  /** Whether every position has the needle, so that no comparison is needed. */
  readonly areExact: boolean
}

/**
 * Lists the codes of the values with the needle at a candidate position, each once, and returns the number of codes.
 * `isFound` has a zero for each code, before and after.
 */
function searchCandidates(
  { codes, positions }: TrigramIndex,
  { from, to, within, areExact }: TextPositions,
  text: Uint8Array | Uint16Array,
  needle: string,
  found: Uint32Array,
  isFound: Uint8Array,
): number {
  const units = unitsOf(needle)
  let count = 0
  for (let i = from; i < to; i++) {
    const code = codes[i] as number
    if (isFound[code] !== 0) continue
    if (!areExact && !isAt(text, (positions[i] as number) - within, units)) continue
    isFound[code] = 1
    found[count++] = code
  }
  for (let i = 0; i < count; i++) isFound[found[i] as number] = 0
  return count
}

/** Returns the positions of a needle's rarest trigram; the starts of a shorter needle; all positions for "". */
function candidatesFor(
  { classes, classCount, starts, positions }: TrigramIndex,
  needle: string,
): TextPositions {
  let best: TextPositions = { from: 0, to: positions.length, within: 0, areExact: false }
  const length = Math.min(LENGTH, needle.length)
  for (let within = 0; within + length <= needle.length; within++) {
    let trigram = 0
    let isExact = length === needle.length
    for (let i = within; i < within + length; i++) {
      const unit = needle.charCodeAt(i)
      const unitClass = unit < classes.length ? (classes[unit] as number) : ABSENT
      if (unitClass === ABSENT) return { from: 0, to: 0, within: 0, areExact: true }
      if (unitClass === MAX_CLASSES - 1) isExact = false
      trigram = trigram * classCount + unitClass
    }
    const span = classCount ** (LENGTH - length)
    const from = starts[trigram * span] as number
    const to = starts[(trigram + 1) * span] as number
    if (to - from <= best.to - best.from) best = { from, to, within, areExact: isExact }
  }
  return best
}

function isAt(text: Uint8Array | Uint16Array, at: number, needle: Uint16Array): boolean {
  for (let i = 0; i < needle.length; i++) if (text[at + i] !== needle[i]) return false
  return true
}

function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length)
  for (let i = 0; i < text.length; i++) units[i] = text.charCodeAt(i)
  return units
}
