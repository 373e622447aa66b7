import { fold } from '../../values/text.ts'
import type { Field } from '../fields.ts'
import type { StoredRecord } from '../query.ts'

/** Elements that do not end a word. */
const INLINE_TAG = /<\/?(?:a|b|em|i|strong|sub|sup|u)\b[^<>]*>/g

/** Other elements, and the character references that every HTML text needs. */
const BREAK = /<[^<>]*>|&(?:amp|lt|gt|quot);/g

/** Folded texts by record, kept while the record is served: folding a thousand documents takes a quarter of a second. */
const textsOf = new WeakMap<StoredRecord, Map<string, string>>()

/**
 * Reads the folded text of a field, to search it for words; from HTML only the visible text. Throws RangeError for a field
 * that holds no text.
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
