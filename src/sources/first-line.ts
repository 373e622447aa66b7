import { LONGEST_ROW } from './limits.ts'
import { Refusal } from './source-row.ts'

/**
 * Reads the first line with text, or its start where it is longer than a row may be, and with `most` the lines after it up
 * to that number; `whole` yields all of the text. Throws {@link Refusal} if there is none, or if it is a document in a
 * markup language.
 */
export async function withFirstLine(
  text: AsyncGenerator<string>,
  most = 1,
): Promise<{ line: string; lines: readonly string[]; whole: AsyncGenerator<string> }> {
  let head = ''
  let ends = 0
  // Searches each piece once: to search the whole head again would take quadratic time.
  let start = -1
  for (let one = await text.next(); !one.done; one = await text.next()) {
    const before = head.length
    head += one.value
    if (start === -1) {
      const found = one.value.search(/\S/)
      if (found !== -1) start = before + found
    }
    if (start !== -1) ends += one.value.slice(Math.max(0, start - before)).split('\n').length - 1
    if (ends >= most || head.length > LONGEST_ROW) break
  }
  if (start === -1 && head.length > LONGEST_ROW)
    throw new Refusal(
      `the source starts with more than ${LONGEST_ROW} blanks; remove the empty space before its header`,
    )
  if (start === -1) throw new Refusal('the source is empty; nothing was read from it')
  refuseMarkup(head.slice(start, start + MARKUP_WITHIN))
  async function* whole() {
    yield head
    yield* text
  }
  const lines = head.slice(start).split('\n', most)
  return { line: lines[0] ?? '', lines, whole: whole() }
}

/** Characters in which a document in a markup language names its first element. */
const MARKUP_WITHIN = 2000

/** Documents in markup languages, by what is in their first characters. */
const DOCUMENTS: readonly (readonly [start: RegExp, what: string])[] = [
  [
    /^<(\?xml[\s\S]*<)?(!doctype html|html|head|body|meta|style|table|div)\b/i,
    'an HTML page, which some programs save under the name .xls; open it in a spreadsheet and save it as .xlsx or CSV',
  ],
  [/<(kml|gpx)\b/i, 'a KML or GPX file; convert it to GeoJSON in QGIS, or with ogr2ogr'],
  [/<(\w+:)?Workbook\b/, 'an XML spreadsheet of Excel 2003; open it and save it as .xlsx or CSV'],
  [/^<\?xml\b/i, 'an XML document; save it as CSV, JSON or GeoJSON'],
]

function refuseMarkup(head: string): void {
  const [, what] = (head.startsWith('<') && DOCUMENTS.find(([start]) => start.test(head))) || []
  if (what !== undefined) throw new Refusal(`the source is ${what}`)
}
