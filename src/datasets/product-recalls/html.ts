import { createRequire } from 'node:module'
import { decodeHTML } from 'entities'
import type { IOptions } from 'sanitize-html'
import { visibleText } from '../../values/text.ts'

const require = createRequire(import.meta.url)

/** Loaded on first use: only imports need it. */
const sanitizeHtml = (html: string, options: IOptions): string => require('sanitize-html')(html, options)

/** The elements that a recall's HTML may keep: elements with content, which cannot run scripts. */
const ELEMENTS = [
  ...['p', 'br', 'div', 'ul', 'ol', 'li', 'dl', 'dt', 'dd'],
  ...['em', 'strong', 'b', 'i', 'u', 'sub', 'sup'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  'a',
]

/** Text may have been escaped, and markup broken, several times before. Real data needs fewer rounds. */
const MOST_ROUNDS = 5

/**
 * Reduces third-party HTML to the allow-list: no script, no style, no handler, no frame, no other address scheme. Repeats
 * until nothing changes, so that an import of an export gives the same HTML: without a removed element, the elements around
 * it may close differently and leave blanks at an end.
 */
export function safeHtml(html: string): string {
  let safe = html
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const reduced = reduceToAllowList(safe)
    if (reduced === safe) return safe
    safe = reduced
  }
  return safe
}

const reduceToAllowList = (html: string): string =>
  visibleText(
    sanitizeHtml(html, {
      allowedTags: ELEMENTS,
      allowedAttributes: { a: ['href'], th: ['colspan', 'rowspan', 'scope'], td: ['colspan', 'rowspan'] },
      allowedSchemes: ['http', 'https', 'mailto', 'tel'],
      allowProtocolRelative: false,
    }),
  ).trim()

/** The text of an HTML fragment: no tags, not even escaped ones, entities decoded, blanks collapsed. */
export function plainText(html: string): string {
  let text = html
  let escaped = ''
  for (let round = 0; round < MOST_ROUNDS; round++) {
    escaped = sanitizeHtml(text, { allowedTags: [], allowedAttributes: {} })
    const decoded = visibleText(decodeHTML(escaped)).replace(/\s+/g, ' ').trim()
    if (decoded === text) return text
    text = decoded
  }
  return escaped
}
