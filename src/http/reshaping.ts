import { chain } from '../values/promises.ts'
import type { Representation } from './representation.ts'

/** A change of a body that a request may ask for. */
interface Reshaping {
  /** Distinguishes the tag from the unchanged body's. */
  readonly name: string
  /** Creates the function that changes the bytes of one body, piece by piece. */
  readonly create: () => (piece: Uint8Array) => Buffer
}

/**
 * Creates a function that indents JSON text, given in pieces that may be cut anywhere, as `JSON.stringify` does with two
 * spaces. It reads tokens, not values: names keep their order and numbers their digits.
 */
export function createIndenter(): (piece: Uint8Array) => Buffer {
  let depth = 0
  /** True after an opening bracket. The line breaks only if something follows. */
  let isFresh = false
  /** A string whose end is in the next piece. */
  let unfinished = ''
  const newLine = () => `\n${'  '.repeat(depth)}`

  function indented(token: string): string {
    const isClosing = token === ']' || token === '}'
    if (isClosing) depth--
    const before = isFresh === isClosing ? '' : newLine()
    isFresh = token === '[' || token === '{'
    if (isFresh) depth++
    if (token === ',') return before + token + newLine()
    return before + (token === ':' ? ': ' : token)
  }

  return piece => {
    // One byte a character: the marks are ASCII, and in UTF-8 no other character contains an ASCII byte.
    const text = unfinished + Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString('latin1')
    unfinished = ''
    let out = ''
    // A string, whole or up to the end of the piece; a mark; anything else but blanks.
    for (const [token, end] of text.matchAll(/"(?:[^"\\]|\\.)*("|\\?$)|[[\]{},:]|[^\s"[\]{},:]+/gs)) {
      if (end === undefined || end === '"') out += indented(token)
      else unfinished = token
    }
    return Buffer.from(out, 'latin1')
  }
}

/** JSON for people: one member a line. */
export const INDENTED: Reshaping = { name: 'pretty', create: createIndenter }

const BYTE_ORDER_MARK = Buffer.from('\ufeff')

/** Text after a byte order mark. Without it, Excel reads UTF-8 as its local encoding. */
export const MARKED: Reshaping = {
  name: 'bom',
  create() {
    let before = BYTE_ORDER_MARK
    return piece => {
      const marked = Buffer.concat([before, piece])
      before = Buffer.of()
      return marked
    }
  },
}

/** The same representation with its body changed: bytes, a function or a stream. */
export function reshape(representation: Representation, { name, create }: Reshaping): Representation {
  /** A tag that is known only with the body is changed too. */
  const renamed = <R extends { readonly tag?: string }>(about: R): R =>
    about.tag === undefined ? about : { ...about, tag: `${about.tag}.${name}` }
  const { body } = representation
  const own = renamed(representation)
  if (Buffer.isBuffer(body)) return { ...own, body: create()(body) }
  if (typeof body === 'function')
    return {
      ...own,
      body: () => chain(body(), content => renamed({ ...content, body: create()(content.body) })),
    }
  // Files and events are sent as they are.
  if (!('open' in body)) return representation
  const open = () =>
    chain(body.open(), stream => renamed({ ...stream, chunks: changed(stream.chunks, create()) }))
  return { ...own, body: { open } }
}

async function* changed(pieces: AsyncIterable<Uint8Array>, change: (piece: Uint8Array) => Buffer) {
  for await (const piece of pieces) yield change(piece)
}
