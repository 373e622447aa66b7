import { SaxesParser } from 'saxes'
import { DEEPEST, LONGEST_ROW } from '../limits.ts'
import { Refusal } from '../source-row.ts'
import { damaged } from './archive.ts'

/** What is done with the elements of an XML text; names are without their namespaces' prefixes. */
export interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
}

/**
 * Parses XML, and yields after each piece of it, so that the handlers need not gather more. Throws {@link Refusal} where it
 * is not well formed, has a document type, which is how entities are defined, or goes on for long without an element.
 */
export async function* readXml(bytes: AsyncIterable<Buffer>, handlers: XmlHandlers): AsyncGenerator<void> {
  const { open = () => {}, text = () => {}, close = () => {} } = handlers
  const parser = new SaxesParser({ xmlns: false, position: false } as const)
  let depth = 0
  let sinceElement = 0
  parser.on('opentag', ({ name, attributes }) => {
    sinceElement = 0
    if (++depth > DEEPEST) throw damaged(`elements are nested more than ${DEEPEST} deep`)
    open(localName(name), attributes)
  })
  parser.on('closetag', ({ name }) => {
    sinceElement = 0
    depth--
    close(localName(name))
  })
  parser.on('text', text)
  parser.on('cdata', text)
  parser.on('doctype', () => {
    throw damaged('a part has a document type, as no workbook does')
  })
  const decode = utf8Decoder()
  const parse = (piece: string | null) => {
    try {
      parser.write(piece)
    } catch (error) {
      if (error instanceof Refusal) throw error
      throw damaged(`not XML: ${(error as Error).message}`)
    }
  }
  for await (const chunk of bytes) {
    const piece = decode(chunk)
    sinceElement += piece.length
    parse(piece)
    if (sinceElement > LONGEST_ROW)
      throw new Refusal(
        `a value of the workbook has more than the ${LONGEST_ROW} characters that are allowed`,
      )
    yield
  }
  parse(decode())
  parse(null)
  yield
}

function utf8Decoder(): (chunk?: Buffer) => string {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return chunk => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw damaged('a part is not UTF-8 text')
    }
  }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)
