import { posix } from 'node:path'
import { ownText } from '../../values/text.ts'
import { DAY_MS } from '../../values/time-units.ts'
import { MOST_SHARED_CHARACTERS } from '../limits.ts'
import { Refusal } from '../source-row.ts'
import { damaged, type OpenPart } from './archive.ts'
import { readXml, type XmlHandlers } from './xml.ts'

/** A workbook: its sheets in their order, and the texts of their cells. */
export type Workbook = Awaited<ReturnType<typeof openWorkbook>>

export interface Sheet {
  readonly name: string
  readonly isHidden: boolean
  /** Throws {@link Refusal} if the workbook does not contain the sheet. */
  rows(): AsyncIterable<Buffer>
}

/** Opens a workbook. Throws {@link Refusal}. */
export async function openWorkbook(openPart: OpenPart) {
  const main = targetOf(await relationsOf(openPart, ''), 'officeDocument')
  if (main === undefined) throw damaged('it does not say where its sheets are')
  const relations = await relationsOf(openPart, main)
  const sheets: Sheet[] = []
  let unixEpoch: number = UNIX_EPOCH[1900]
  await readPart(openPart, main, {
    open(element, attributes) {
      if (element === 'workbookPr' && /^(1|true)$/.test(attributes.date1904 ?? ''))
        unixEpoch = UNIX_EPOCH[1904]
      if (element !== 'sheet') return
      const { name = '', state = '' } = attributes
      const [, relation] = Object.entries(attributes).find(([key]) => /:id$/.test(key)) ?? []
      const part = relations.find(({ id }) => id === relation)?.target ?? name
      sheets.push({ name, isHidden: /hidden$/i.test(state), rows: () => openPart(part) })
    },
  })
  const texts = await readTexts(openPart, targetOf(relations, 'sharedStrings'))
  const isDate = await readStyles(openPart, targetOf(relations, 'styles'))
  return {
    sheets,
    /** The text of a cell by its type (ECMA-376 part 1, 18.18.11). */
    textOf(value: string, { t: type = 'n', s: style }: Readonly<Record<string, string>>): string {
      const number = Number(value)
      if (type === 'b') return value && String(value === '1')
      if (type === 'n' && value.trim() !== '' && !Number.isNaN(number))
        return cellText(style !== undefined && isDate(Number(style)) ? dateOf(number, unixEpoch) : number)
      const text = type === 's' && value !== '' ? texts[number] : value
      if (text === undefined) throw damaged('a cell has a text that the workbook does not have')
      return text.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    },
  }
}

/** The day number of 1970-01-01, by the first year of the count: 1904 in workbooks of the first Macintosh. */
const UNIX_EPOCH = { 1900: 25_569, 1904: 24_107 }

interface Relation {
  readonly id: string
  readonly type: string
  readonly target: string
}

/** The parts that a part refers to, by their whole names (ECMA-376 part 2, 9.3). An empty name stands for the archive. */
async function relationsOf(openPart: OpenPart, part: string): Promise<readonly Relation[]> {
  const folder = posix.dirname(part)
  const relations: Relation[] = []
  await readPart(openPart, posix.join(folder, '_rels', `${posix.basename(part)}.rels`), {
    open(name, { Id: id = '', Type: type = '', Target: target = '' }) {
      if (name !== 'Relationship') return
      const whole = target.startsWith('/') ? target.slice(1) : posix.join(folder, target)
      relations.push({ id, type, target: whole })
    },
  })
  return relations
}

const targetOf = (relations: readonly Relation[], kind: string) =>
  relations.find(({ type }) => type.endsWith(`/${kind}`))?.target

/** Reads a part to its end; without a name there is nothing to read. */
async function readPart(openPart: OpenPart, name: string | undefined, handlers: XmlHandlers): Promise<void> {
  if (name === undefined) return
  for await (const _ of readXml(openPart(name), handlers)) {
    // The handlers keep what they need.
  }
}

/** An empty text takes as much memory as this number of characters. */
const COST = 16

/** The texts that cells refer to by number. */
async function readTexts(openPart: OpenPart, part: string | undefined): Promise<string[]> {
  const texts: string[] = []
  let cost = 0
  let whole = ''
  await readPart(openPart, part, {
    close(name, text) {
      if (name === 't') whole += text
      if (name !== 'si') return
      cost += COST + whole.length
      if (cost > MOST_SHARED_CHARACTERS)
        throw new Refusal(
          `the workbook has more than ${MOST_SHARED_CHARACTERS} characters of different texts; save the sheet as CSV`,
        )
      texts.push(ownText(whole))
      whole = ''
    },
  })
  return texts
}

/** Returns the function that says whether cells with this style number are dates. */
async function readStyles(openPart: OpenPart, part: string | undefined) {
  const formats = new Map<number, string>()
  const styles: number[] = []
  let isCellStyle = false
  await readPart(openPart, part, {
    open(name, { numFmtId, formatCode = '' }) {
      if (name === 'numFmt') formats.set(Number(numFmtId), formatCode)
      else if (name === 'cellXfs') isCellStyle = true
      else if (name === 'xf' && isCellStyle) styles.push(Number(numFmtId))
    },
    close(name) {
      if (name === 'cellXfs') isCellStyle = false
    },
  })
  return (style: number) => {
    const format = styles[style]
    return format !== undefined && isDateFormat(format, formats.get(format))
  }
}

/** The ranges of Excel's own date and time formats, including East Asian formats (ECMA-376 part 1, 18.8.30). */
const BUILT_IN = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const

/**
 * The literal parts of a format: quoted or escaped text, fillers, colours and conditions, but not elapsed time such as
 * [h].
 */
const LITERAL = /"[^"]*"|[\\_*].|\[(?!h+\]|m+\]|s+\])[^\][]*\]/gi

/** Whether a number with this format is a date or a time. `code` is given if the format is the workbook's own. */
const isDateFormat = (id: number, code: string | undefined): boolean =>
  code === undefined
    ? BUILT_IN.some(([first, last]) => first <= id && id <= last)
    : /[dmyhs]/i.test(code.replace(/general/gi, '').replace(LITERAL, ''))

/** A character that XML cannot contain, as Excel escapes it. */
const ESCAPED = /_x([\da-f]{4})_/gi

/** Excel calculates with this number of digits, and shows no more. */
const DIGITS = 15

const MIDNIGHT = ' 00:00:00'
/** The day before the first day that Excel counts. */
const NO_DAY = '1899-12-31 '

/**
 * A number in plain digits; a date as `YYYY-MM-DD`, with its time if it has one; a time of day as `HH:MM:SS`. Workbooks
 * have no time zones, so the text has no time zone.
 */
export function cellText(value: number | Date): string {
  if (typeof value === 'number') return String(Number(value.toPrecision(DIGITS)))
  if (Number.isNaN(value.getTime())) return ''
  // Fractions of a day are not exact.
  const second = new Date(Math.round(value.getTime() / 1000) * 1000)
  const text = second.toISOString().replace('T', ' ').slice(0, 'YYYY-MM-DD HH:MM:SS'.length)
  if (text.startsWith(NO_DAY)) return text.slice(NO_DAY.length)
  return text.endsWith(MIDNIGHT) ? text.slice(0, -MIDNIGHT.length) : text
}

/** Excel counts a 29 February 1900, which did not exist. */
const FALSE_LEAP_DAY = 60

function dateOf(serial: number, unixEpoch: number): Date {
  const days = unixEpoch === UNIX_EPOCH[1900] && serial < FALSE_LEAP_DAY ? serial + 1 : serial
  return new Date((days - unixEpoch) * DAY_MS)
}
