import type { SearchText } from './table-data.ts'
import { candidatesFor, searchCandidates } from './trigram-index.ts'

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
