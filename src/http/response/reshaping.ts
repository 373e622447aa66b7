import { chain } from '../../values/promises.ts'
import { createIndenter } from './indentation.ts'
import type { Representation } from './representation.ts'

/** A change of a body that a request may ask for. */
export interface Reshaping {
  /** Tells its tag from that of the unchanged body. */
  readonly name: string
  /** Creates the function that changes the bytes of one body, piece by piece. */
  readonly create: () => (piece: Uint8Array) => Buffer
}

/** JSON for people: a member a line. */
export const INDENTED: Reshaping = { name: 'pretty', create: createIndenter }

const BYTE_ORDER_MARK = Buffer.from('\ufeff')

/** Text with a byte order mark before it, without which Excel takes UTF-8 for text in its local encoding. */
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

/** The same representation with its body changed, be it bytes, made on request or a stream. */
export function reshape(representation: Representation, { name, create }: Reshaping): Representation {
  /** The tag of a body that is known only with it is changed too. */
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
  const open = () =>
    chain(body.open(), stream => renamed({ ...stream, chunks: changed(stream.chunks, create()) }))
  return { ...own, body: { open } }
}

async function* changed(pieces: AsyncIterable<Uint8Array>, change: (piece: Uint8Array) => Buffer) {
  for await (const piece of pieces) yield change(piece)
}
