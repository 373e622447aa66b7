import { createHash } from 'node:crypto'
import Type from 'typebox'
import type { ReleaseReference } from '../../datasets/dataset.ts'
import { InvalidParameter, NotAllowed, type Parameter } from '../../values/values.ts'

/** Where a reader of all pages is: in one release, after this many of the entries that a query selects. */
export interface Cursor {
  readonly release: ReleaseReference
  readonly offset: number
  /** The digest of the query. */
  readonly query: string
}

/** The value that asks for the first page. */
const START = '*'

export type CursorValue = Cursor | typeof START

/** The parameter `cursor`. */
export const CURSOR_PARAMETER: Parameter<CursorValue> = {
  type: {
    allowed: `${START} for the first page, then the nextCursor of each page`,
    schema: Type.String({ examples: [START] }),
    format: cursor => (cursor === START ? START : cursorText(cursor)),
    parse: text => (text === START ? START : cursorOf(text)),
  },
  description:
    'Reads all pages of one release: `*` for the first page, then the `nextCursor` of each page, also linked as `next`. For an hour after a new release, pages go on from the one they began with, so that no entry is dropped or repeated.',
}

/** The text of a cursor: opaque to clients, valid in a URL. */
export function cursorText({ release, offset, query }: Cursor): string {
  return Buffer.from(JSON.stringify([release.number, release.hash, offset, query])).toString('base64url')
}

function cursorOf(text: string): Cursor {
  try {
    const [number, hash, offset, query, ...more] = JSON.parse(Buffer.from(text, 'base64url').toString())
    const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
    const isText = (value: unknown): value is string => typeof value === 'string'
    if (isCount(number) && isText(hash) && isCount(offset) && isText(query) && more.length === 0)
      return { release: { number, hash }, offset, query }
  } catch {
    // It is no cursor, as the following error says.
  }
  throw new NotAllowed('is not a cursor of this service')
}

/** Refers to a release. */
export const referTo = ({ number, hash }: ReleaseReference): ReleaseReference => ({
  number,
  hash: hash.slice(0, 12),
})

/** Where reading begins, by the parameter and the canonical query. Throws {@link InvalidParameter} for another query's cursor. */
export function cursorAt(
  value: CursorValue | undefined,
  canonicalQuery: string,
  current: ReleaseReference,
): Cursor | undefined {
  if (value === undefined) return undefined
  const query = digestOf(canonicalQuery)
  if (value === START) return { release: referTo(current), offset: 0, query }
  if (value.query === query) return value
  throw new InvalidParameter({
    parameter: 'cursor',
    value: cursorText(value).slice(0, 100),
    detail: 'belongs to another query',
    allowed: 'the nextCursor of a page with the same filters and order',
  })
}

/** Pages of one query may differ in length, fields and format. */
function digestOf(canonicalQuery: string): string {
  const selection = canonicalQuery
    .split('&')
    .filter(part => !/^(page|limit|cursor|fields|format|pretty|bom)=/.test(part))
    .join('&')
  return createHash('sha256').update(selection).digest('base64url').slice(0, 8)
}
