import { SaxesParser } from 'saxes'
import { messageOf } from '../../values/system/error-code.ts'
import { DEEPEST, LONGEST_ROW } from '../limits.ts'
import { Refusal } from '../source-row.ts'
import { damaged } from './archive.ts'

/** The handlers of the elements of an XML text. Names come without namespace prefixes. */
export interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  /** `text` is the text since the last tag: the whole text of an element without child elements. */
  close?(name: string, text: string): void
}

/** The phonetic reading of an East Asian text, which no cell shows. */
const READING = 'rPh'

/**
 * Parses XML without phonetic readings. Yields after each piece, so that the handlers need not gather more than one
 * piece. Throws {@link Refusal} if the XML is not well formed, has a document type, which could define entities, or
 * goes on for long without an element.
 */
export async function* readXml(
  bytes: AsyncIterable<Buffer>,
  { open = () => {}, close = () => {} }: XmlHandlers,
): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: false, position: false } as const)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let depth = 0
  let sinceElement = 0
  let text = ''
  let isReading = false
  const startPart = () => {
    sinceElement = 0
    text = ''
  }
  const addText = (piece: string) => {
    text += piece
  }
  parser.on('opentag', ({ name, attributes }) => {
    startPart()
    if (++depth > DEEPEST) throw damaged(`elements are nested more than ${DEEPEST} deep`)
    if (localName(name) === READING) isReading = true
    else if (!isReading) open(localName(name), attributes)
  })
  parser.on('closetag', ({ name }) => {
    depth--
    if (localName(name) === READING) isReading = false
    else if (!isReading) close(localName(name), text)
    startPart()
  })
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('doctype', () => {
    throw damaged('a part has a document type, as no workbook does')
  })
  const parse = (chunk?: Buffer) => {
    try {
      const piece = decoder.decode(chunk, { stream: chunk !== undefined })
      sinceElement += piece.length
      parser.write(piece)
      if (chunk === undefined) parser.close()
    } catch (error) {
      if (error instanceof Refusal) throw error
      throw damaged(`not XML: ${messageOf(error)}`)
    }
  }
  for await (const chunk of bytes) {
    parse(chunk)
    if (sinceElement > LONGEST_ROW)
      throw new Refusal(
        `a value of the workbook has more than the ${LONGEST_ROW} characters that are allowed`,
      )
    yield
  }
  parse()
  yield
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)
