import { newCodes } from './rank-index.ts'
import type { GramsPart } from './table-data.ts'

/** How many characters' classes lead to a place. */
const LENGTH = 3
/** The classes that there can be: their triples must not take much memory. */
const MOST_CLASSES = 64
/** How many UTF-16 units there are. */
const UNITS = 1 << 16
/** The class of units that the text does not have. */
const ABSENT = 255

/** Orders the places of a text, in which word i starts at `starts[i]`, by the characters that start there. */
export function gramsOf(text: string, starts: Uint32Array): GramsPart {
  const { length } = text
  const classes = classesOf(text)
  const classCount = 1 + classes.reduce((most, one) => (one === ABSENT ? most : Math.max(most, one)), 0)
  const grams = classCount ** LENGTH
  // The text is gone through from its end, so that each unit moves the gram on by one step.
  const moved = (gram: number, at: number) =>
    Math.floor((gram + (classes[text.charCodeAt(at)] as number) * grams) / classCount)
  const gramStarts = new Uint32Array(grams + 1)
  // Past its end the text reads as separators, whose class is 0.
  for (let at = length - 1, gram = 0; at >= 0; at--) {
    gram = moved(gram, at)
    gramStarts[gram] = (gramStarts[gram] as number) + 1
  }
  for (let gram = 1; gram <= grams; gram++)
    gramStarts[gram] = (gramStarts[gram] as number) + (gramStarts[gram - 1] as number)
  const places = new Uint32Array(length)
  const words = newCodes(length, starts.length)
  // Each start is where the next gram's is at first, and comes down by one with every place.
  for (let at = length - 1, gram = 0, word = starts.length - 1; at >= 0; at--) {
    if (at === (starts[word] as number) - 2) word--
    gram = moved(gram, at)
    const place = (gramStarts[gram] as number) - 1
    gramStarts[gram] = place
    places[place] = at
    words[place] = word
  }
  return { classes, classCount, starts: gramStarts, places, words }
}

/** The most frequent units get classes of their own, the separator the first; all others share the last. */
function classesOf(text: string): Uint8Array<ArrayBuffer> {
  const counts = new Uint32Array(UNITS)
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    counts[unit] = (counts[unit] as number) + 1
  }
  const present = [...counts.keys()].filter(unit => unit > 0 && counts[unit] !== 0)
  const frequent = [...present].sort((one, other) => (counts[other] as number) - (counts[one] as number))
  const classes = new Uint8Array(1 + (present.at(-1) ?? 0)).fill(ABSENT)
  classes[0] = 0
  for (const [rank, unit] of frequent.entries()) classes[unit] = Math.min(rank + 1, MOST_CLASSES - 1)
  return classes
}

/** Some of the places in a text: those at which a needle, or a certain part of it, may be. */
export interface Places {
  readonly from: number
  readonly to: number
  /** How far into the needle they are. */
  readonly within: number
  /** Whether the needle is at all of them. */
  readonly areSure: boolean
}

/** Marks the words that have a needle at some places, and lists each once. */
export function searchPlaces(
  grams: GramsPart,
  { from, to, within, areSure }: Places,
  text: Uint8Array | Uint16Array,
  needle: string,
  marks: Uint8Array,
  list: Uint32Array,
): number {
  const units = unitsOf(needle)
  let found = 0
  for (let i = from; i < to; i++) {
    const word = grams.words[i] as number
    if (marks[word] !== 0) continue
    if (!areSure && !isAt(text, (grams.places[i] as number) - within, units)) continue
    marks[word] = 1
    list[found++] = word
  }
  return found
}

/** Gives the places of a needle's rarest three characters; of a shorter one, where it starts; of none, all. */
export function placesOf({ classes, classCount, starts, places }: GramsPart, needle: string): Places {
  let best: Places = { from: 0, to: places.length, within: 0, areSure: false }
  const length = Math.min(LENGTH, needle.length)
  for (let within = 0; within + length <= needle.length; within++) {
    let gram = 0
    let isSure = length === needle.length
    for (let i = within; i < within + length; i++) {
      const unit = needle.charCodeAt(i)
      const unitClass = unit < classes.length ? (classes[unit] as number) : ABSENT
      if (unitClass === ABSENT) return { from: 0, to: 0, within: 0, areSure: true }
      if (unitClass === MOST_CLASSES - 1) isSure = false
      gram = gram * classCount + unitClass
    }
    const span = classCount ** (LENGTH - length)
    const from = starts[gram * span] as number
    const to = starts[(gram + 1) * span] as number
    if (to - from <= best.to - best.from) best = { from, to, within, areSure: isSure }
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
