import { fold } from '../../values/text.ts'
import type { Field } from '../fields.ts'
import type { StoredRecord } from '../query.ts'

/** Elements that do not end a word. */
const INLINE_TAG = /<\/?(?:a|b|em|i|strong|sub|sup|u)\b[^<>]*>/g

/** Other elements, and the characters that HTML has to name. */
const BREAK = /<[^<>]*>|&(?:amp|lt|gt|quot);/g

/** By record, for as long as it is served: to fold a thousand documents takes a quarter of a second. */
const textsOf = new WeakMap<StoredRecord, Map<string, string>>()

/**
 * Reads the text of a field in which words are searched, folded: of HTML what readers see. Throws RangeError for a field that
 * holds no text.
 */
export function searchedTextOf({ name, kind, isHtml }: Field): (record: StoredRecord) => string {
  if (kind !== 'text') throw new RangeError(`field "${name}" cannot be filtered like that`)
  return record => {
    const texts = textsOf.get(record) ?? new Map<string, string>()
    const known = texts.get(name)
    if (known !== undefined) return known
    const value = record[name]
    const text = typeof value === 'string' ? value : ''
    const folded = fold(isHtml ? text.replace(INLINE_TAG, '').replace(BREAK, ' ') : text)
    textsOf.set(record, texts.set(name, folded))
    return folded
  }
}
