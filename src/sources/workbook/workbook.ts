import { posix } from 'node:path'
import { MOST_SHARED_CHARACTERS } from '../limits.ts'
import { Refusal } from '../source-row.ts'
import { type Archive, damaged } from './archive.ts'
import { isDateFormat } from './date-format.ts'
import { readXml, type XmlHandlers } from './xml.ts'

/** A workbook: its sheets in their order, and what their cells refer to. */
export interface Workbook {
  readonly sheets: readonly Sheet[]
  readonly texts: readonly string[]
  /** Whether cells with a style, by its number, are dates. */
  isDate(style: number): boolean
  /** The days that its dates count from: 1904 in workbooks of the first Macintosh. */
  readonly epoch: 1900 | 1904
}

export interface Sheet {
  readonly name: string
  readonly isHidden: boolean
  /** Throws {@link Refusal} where the workbook does not hold it. */
  rows(): AsyncIterable<Buffer>
}

/** Opens a workbook. Throws {@link Refusal}. */
export async function openWorkbook(archive: Archive): Promise<Workbook> {
  const [main] = targets(await relationsOf(archive, ''), 'officeDocument')
  if (main === undefined) throw damaged('it does not say where its sheets are')
  const listed: { name: string; isHidden: boolean; relation: string }[] = []
  let epoch: Workbook['epoch'] = 1900
  await readPart(archive, main, {
    open(name, attributes) {
      if (name === 'workbookPr' && /^(1|true)$/.test(attributes.date1904 ?? '')) epoch = 1904
      if (name !== 'sheet') return
      const [, relation = ''] = Object.entries(attributes).find(([key]) => /:id$/.test(key)) ?? []
      const isHidden = /hidden$/i.test(attributes.state ?? '')
      listed.push({ name: attributes.name ?? '', isHidden, relation })
    },
  })
  const relations = await relationsOf(archive, main)
  const [texts] = targets(relations, 'sharedStrings')
  const [styles] = targets(relations, 'styles')
  return {
    epoch,
    sheets: listed.map(({ name, isHidden, relation }) => ({
      ...{ name, isHidden },
      rows() {
        const rows = archive.open(relations.find(({ id }) => id === relation)?.target ?? '')
        if (rows === undefined) throw damaged(`the sheet "${name}" is missing`)
        return rows
      },
    })),
    texts: texts === undefined ? [] : await readTexts(archive, texts),
    isDate: styles === undefined ? () => false : await readStyles(archive, styles),
  }
}

interface Relation {
  readonly id: string
  readonly type: string
  readonly target: string
}

/** What a part, or for an empty name the archive, refers to: parts by their whole names (ECMA-376 part 2, 9.3). */
async function relationsOf(archive: Archive, part: string): Promise<readonly Relation[]> {
  const folder = posix.dirname(part)
  const relations: Relation[] = []
  await readPart(archive, posix.join(folder, '_rels', `${posix.basename(part)}.rels`), {
    open(name, { Id: id = '', Type: type = '', Target: target = '' }) {
      if (name !== 'Relationship') return
      const whole = target.startsWith('/') ? target.slice(1) : posix.join(folder, target)
      relations.push({ id, type, target: whole })
    },
  })
  return relations
}

const targets = (relations: readonly Relation[], kind: string): string[] =>
  relations.filter(({ type }) => type.endsWith(`/${kind}`)).map(({ target }) => target)

async function readPart(archive: Archive, name: string, handlers: XmlHandlers): Promise<void> {
  const bytes = archive.open(name)
  if (bytes === undefined) throw damaged(`its part ${name} is missing`)
  for await (const _ of readXml(bytes, handlers)) {
    // The handlers keep what they need.
  }
}

/** What each text counts for besides its characters: the memory of an empty one. */
const COST = 16

/** The texts that cells refer to by their place, without the readings of East Asian ones. */
async function readTexts(archive: Archive, part: string): Promise<string[]> {
  const texts: string[] = []
  let cost = 0
  let text = ''
  let isText = false
  let isReading = false
  await readPart(archive, part, {
    open(name) {
      if (name === 'si') text = ''
      else if (name === 'rPh') isReading = true
      isText = name === 't' && !isReading
    },
    text(piece) {
      if (isText) text += piece
    },
    close(name) {
      isText = false
      if (name === 'rPh') isReading = false
      if (name !== 'si') return
      cost += COST + text.length
      if (cost > MOST_SHARED_CHARACTERS)
        throw new Refusal(
          `the workbook has more than ${MOST_SHARED_CHARACTERS} characters of different texts; save the sheet as CSV`,
        )
      // A copy, as a part of a larger text would keep all of it in memory.
      texts.push(Buffer.from(text).toString())
    },
  })
  return texts
}

async function readStyles(archive: Archive, part: string): Promise<Workbook['isDate']> {
  const formats = new Map<number, string>()
  const styles: number[] = []
  let isCellStyle = false
  await readPart(archive, part, {
    open(name, { numFmtId, formatCode = '' }) {
      if (name === 'numFmt') formats.set(Number(numFmtId), formatCode)
      else if (name === 'cellXfs') isCellStyle = true
      else if (name === 'xf' && isCellStyle) styles.push(Number(numFmtId))
    },
    close(name) {
      if (name === 'cellXfs') isCellStyle = false
    },
  })
  return style => {
    const format = styles[style]
    return format !== undefined && isDateFormat(format, formats.get(format))
  }
}
