import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { errorCode } from '../../values/system/error-code.ts'
import { deniedByNode } from '../../values/system/node-permission.ts'
import { openTemporaryFile, type TemporaryFile } from '../../values/system/temporary-file.ts'
import { gunzipped, PAGE_END } from '../bytes.ts'
import { createCompleteness } from '../completeness.ts'
import { createJsonSplitter } from '../json.ts'
import { Refusal } from '../source-row.ts'
import { FetchError } from './fetch-error.ts'
import { addressWithin, type OpenedAddress } from './open-address.ts'

const MOST_PAGES = 10_000

/**
 * The bytes of a response and of the pages to which it leads, with `PAGE_END` between them, once all have been received.
 * `check` looks at each further response. An error is a {@link FetchError}, or the signal's reason.
 */
export async function* receivedPages(
  first: OpenedAddress,
  check: (page: OpenedAddress) => Promise<OpenedAddress>,
): AsyncGenerator<Buffer> {
  const visited = new Set([first.url.href])
  let current = first
  try {
    yield* received(first.chunks, async page => {
      const next = linkedNext(current.headers) ?? (await statedNext(page))
      if (next === undefined) return undefined
      const url = addressWithin(current.url, next, elsewhere)
      if (visited.has(url.href)) throw endless('the next page is one that was fetched already')
      if (visited.size === MOST_PAGES) throw endless(`there are more than ${MOST_PAGES} pages`)
      visited.add(url.href)
      current = await check(await current.open(url))
      return current.chunks
    })
  } catch (error) {
    if (error instanceof FetchError && visited.size > 1)
      error.message = `page ${visited.size}: ${error.message}`
    throw error
  }
}

/**
 * Yields a response once all of it has arrived, so that whoever reads it never waits for the server. Until then a temporary
 * file holds it, and the further pages that `nextPage` gives for each page. `PAGE_END` is between pages.
 */
export async function* received(
  first: AsyncIterable<Buffer> | undefined,
  nextPage?: (page: AsyncIterable<Buffer>) => Promise<AsyncIterable<Buffer> | undefined>,
): AsyncGenerator<Buffer> {
  let file: TemporaryFile | undefined
  let end = 0
  const starts: number[] = []
  try {
    for (let page = first; page !== undefined; ) {
      const start = end
      for await (const chunk of page) {
        try {
          file ??= openTemporaryFile()
          file.write(chunk, end)
        } catch (error) {
          throw notKept(error)
        }
        end += chunk.length
      }
      starts.push(start)
      page = file && (await nextPage?.(file.read(end, start)))
    }
    for (const [at, start] of starts.entries()) {
      if (at > 0) yield PAGE_END
      if (file !== undefined) yield* file.read(starts[at + 1] ?? end, start)
    }
  } finally {
    file?.leave()
  }
}

function notKept(error: unknown): Error {
  const folder = tmpdir()
  const why = deniedByNode('write', folder) ?? `takes no temporary file (${errorCode(error) ?? error})`
  return new Error(`${folder} ${why}; TMPDIR names another folder`, { cause: error })
}

const elsewhere = (shown: string) => `the next page is elsewhere, at ${shown}: fetch all pages into one list`
const endless = (what: string) =>
  new FetchError('unreadable', `${what}: ask the publisher for longer pages, or fetch them into one list`)

/** A link with an anchor is one of another resource. */
function isNext(link: string): boolean {
  const [, relations = ''] = /;\s*rel\s*=\s*("[^"]*"|[^\s",;]*)/i.exec(link) ?? []
  return /(?:^|["\s])next(?:["\s]|$)/i.test(relations) && !/;\s*anchor\s*=/i.test(link)
}

/** The address of the next page as the header Link states it (RFC 8288). */
export const linkedNext = ({ link = '' }: IncomingHttpHeaders): string | undefined =>
  String(link).split('<').slice(1).find(isNext)?.split('>', 1)[0]

/** The address of the next page as a JSON document states it; undefined for sources of other kinds. */
async function statedNext(page: AsyncIterable<Buffer>): Promise<string | undefined> {
  const said = createCompleteness()
  const splitter = createJsonSplitter('members', said.note)
  const decoder = new TextDecoder()
  try {
    for await (const chunk of gunzipped(page)) splitter.push(decoder.decode(chunk, { stream: true }))
    splitter.end()
    return said.next()
  } catch (error) {
    // Whoever reads the source says what is wrong with it.
    if (error instanceof Refusal) return undefined
    throw error
  }
}
