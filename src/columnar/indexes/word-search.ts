import type { SearchPart } from './table-data.ts'
import { placesOf, searchPlaces } from './trigram-index.ts'

/** Stands before and after each word. Nothing folded holds it. */
export const SEPARATOR = '\0'

/** Finds words by folded text. */
export interface Search {
  /** Marks the words that contain the text and lists each once; the room of both suffices for all words. */
  containing(folded: string, marks: Uint8Array, list: Uint32Array): number
  /** The same with the words that the text is the whole of. */
  equalTo(folded: string, marks: Uint8Array, list: Uint32Array): number
}

/** Makes ready what finds the words of a column. */
export function openSearch(part: SearchPart): Search {
  const { grams, starts } = part
  const bytes = Buffer.from(part.text.buffer, part.text.byteOffset, part.text.byteLength)
  const text = bytes.toString(part.wide ? 'utf16le' : 'latin1')
  const units = part.wide ? new Uint16Array(part.text.buffer) : part.text

  /** `skip` is how far into the needle the word starts that is meant. */
  function find(needle: string, skip: number, marks: Uint8Array, list: Uint32Array): number {
    const places = grams && placesOf(grams, needle)
    // Going from place to place is worth while only where they are few, or need not be looked at.
    const isWorthwhile = places && (places.areSure || (places.to - places.from) * JUMPED < text.length)
    return grams && places && isWorthwhile
      ? searchPlaces(grams, places, units, needle, marks, list)
      : searchText(text, starts, needle, skip, marks, list)
  }

  return {
    containing: (folded, marks, list) => find(folded, 0, marks, list),
    equalTo: (folded, marks, list) => find(SEPARATOR + folded + SEPARATOR, SEPARATOR.length, marks, list),
  }
}

/** How many characters are gone through in the time in which a place is jumped to. */
const JUMPED = 32

/** Goes through the text from word to word. */
function searchText(
  text: string,
  starts: Uint32Array,
  needle: string,
  skip: number,
  marks: Uint8Array,
  list: Uint32Array,
): number {
  const words = starts.length - 1
  let found = 0
  let word = 0
  for (let at = text.indexOf(needle); at >= 0 && word < words; at = text.indexOf(needle, at)) {
    while (word < words && (starts[word + 1] as number) <= at + skip) word++
    if (word === words) break
    marks[word] = 1
    list[found++] = word
    // From the separator before the next word on.
    at = (starts[++word] as number) - 1
  }
  return found
}
