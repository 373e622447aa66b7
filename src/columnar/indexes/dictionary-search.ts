import type { SearchText } from './table-data.ts'
import { candidatesFor, searchCandidates } from './trigram-index.ts'

/** The character before and after each value. No folded text contains it. */
export const SEPARATOR = '\0'

/** Finds the values of a dictionary by folded text. */
export interface DictionarySearch {
  /** Selects the values that contain the text: sets their mask, lists their codes and returns how many there are. */
  containing(folded: string, mask: Uint8Array, selected: Uint32Array): number
  /** Selects the values that equal the text, in the same way. */
  equalTo(folded: string, mask: Uint8Array, selected: Uint32Array): number
}

/** Opens the search in a dictionary. */
export function openDictionarySearch(data: SearchText): DictionarySearch {
  const { trigrams, starts } = data
  const bytes = Buffer.from(data.text.buffer, data.text.byteOffset, data.text.byteLength)
  const units = data.wide ? new Uint16Array(data.text.buffer) : data.text
  let text: string | undefined

  /** `skip` is the position within the needle at which the matching value starts. */
  function find(needle: string, skip: number, mask: Uint8Array, selected: Uint32Array): number {
    const candidates = trigrams && candidatesFor(trigrams, needle)
    // Jumping between positions pays off only where they are few, or need no comparison.
    const isCheap =
      candidates && (candidates.areExact || (candidates.to - candidates.from) * JUMP_COST < units.length)
    if (trigrams && candidates && isCheap)
      return searchCandidates(trigrams, candidates, units, needle, mask, selected)
    text ??= bytes.toString(data.wide ? 'utf16le' : 'latin1')
    return searchText(text, starts, needle, skip, mask, selected)
  }

  return {
    containing: (folded, mask, selected) => find(folded, 0, mask, selected),
    equalTo: (folded, mask, selected) =>
      find(SEPARATOR + folded + SEPARATOR, SEPARATOR.length, mask, selected),
  }
}

/** The number of characters that are scanned in the time of a jump to a position. */
const JUMP_COST = 32

/** Scans the text from value to value. */
function searchText(
  text: string,
  starts: Uint32Array,
  needle: string,
  skip: number,
  mask: Uint8Array,
  selected: Uint32Array,
): number {
  const values = starts.length - 1
  let found = 0
  let code = 0
  for (let at = text.indexOf(needle); at >= 0 && code < values; at = text.indexOf(needle, at)) {
    while (code < values && (starts[code + 1] as number) <= at + skip) code++
    if (code === values) break
    mask[code] = 1
    selected[found++] = code
    // Continue from the separator before the next value.
    at = (starts[++code] as number) - 1
  }
  return found
}
