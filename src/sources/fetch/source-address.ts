import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { errorCode } from '../../values/system/error-code.ts'
import { deniedByNode } from '../../values/system/node-permission.ts'
import { openTemporaryFile, type TemporaryFile } from '../../values/system/temporary-file.ts'
import { gunzipped, PAGE_END } from '../bytes.ts'
import { createCompleteness } from '../completeness.ts'
import { type DeclaredStream, declaredEncoding } from '../encodings.ts'
import { createJsonSplitter } from '../json.ts'
import { Refusal } from '../source-row.ts'
import { FetchError } from './fetch-error.ts'
import {
  addressWithin,
  mediaTypeOf,
  type OpenedAddress,
  openAddress,
  type Validators,
} from './open-address.ts'

/** The bounds of fetching a source, and the validators of its last response. */
export interface SourceFetchOptions {
  /** The most bytes of the response, as they are sent. */
  readonly maxBytes?: number | undefined
  readonly timeoutMs?: number | undefined
  readonly allowPrivate?: boolean | undefined
  readonly validators?: Validators | undefined
  readonly signal?: AbortSignal | undefined
}

/** The default bounds of a source. */
export const SOURCE_BOUNDS = { maxBytes: 256 * 1024 * 1024, timeoutMs: 120_000 }

const RULES = {
  accept: 'application/json, application/geo+json, text/csv, */*;q=0.5',
  // The reader unpacks gzip, as for a file.
  acceptEncoding: 'gzip',
  maxRedirects: 3,
}

/**
 * Requests a source at an address; only the first page if the source has several. Throws {@link FetchError}, or the
 * signal's reason.
 */
export async function openSourceAddress(
  address: string,
  { maxBytes, timeoutMs, allowPrivate = false, validators, signal }: SourceFetchOptions,
): Promise<OpenedAddress> {
  const opened = await openAddress(address, {
    ...RULES,
    allowPrivate,
    validators,
    signal,
    maxBytes: maxBytes ?? SOURCE_BOUNDS.maxBytes,
    deadlineMs: timeoutMs ?? SOURCE_BOUNDS.timeoutMs,
  })
  // An unchanged first page says nothing about later pages.
  const isAsked = opened.chunks === undefined && linkedNext(opened.headers) !== undefined
  return checkedSource(isAsked ? await opened.open(opened.url) : opened)
}

/** Refuses a response that is not a source. Throws {@link FetchError}. */
async function checkedSource(opened: OpenedAddress): Promise<OpenedAddress> {
  try {
    if (opened.chunks === undefined) return opened
    const coding = opened.headers['content-encoding'] ?? 'identity'
    if (!/^(identity|(x-)?gzip)$/i.test(coding))
      throw new FetchError('unreadable', 'the response has a content coding that was not requested')
    if (/^(text\/html|application\/xhtml\+xml)$/.test(mediaTypeOf(opened.headers))) throw htmlPage()
    // A release of this data would lose the mark that nothing in it exists.
    if (opened.headers['synthetic-data'] === 'true')
      throw new FetchError(
        'type',
        'the server marks the data as synthetic: nothing in it exists, so it is not imported',
      )
    return { ...opened, chunks: withoutHtml(opened.chunks) }
  } catch (error) {
    await opened.close()
    throw error
  }
}

/**
 * The bytes of a source at an address, for the readers of sources, with `PAGE_END` between pages. The first read sends
 * the request, and bytes follow once all pages have been received. An error of the stream is a {@link FetchError}, or
 * the signal's reason.
 */
export function readAddress(address: string, options: SourceFetchOptions): Readable {
  async function* chunks() {
    const opened = await openSourceAddress(address, options)
    stream.declared = declaredEncoding(opened.headers['content-type'])
    try {
      yield* receive(opened)
    } finally {
      await opened.close()
    }
  }
  const stream: DeclaredStream = Readable.from(chunks())
  return stream
}

const MOST_PAGES = 10_000

/**
 * Yields the bytes of a requested source and of its further pages, with `PAGE_END` between pages. They wait in a temporary
 * file until all pages have been received, so that the reader never waits for the server. An error is a {@link FetchError},
 * or the signal's reason.
 */
export async function* receive(first: OpenedAddress): AsyncGenerator<Buffer> {
  const visited = new Set([first.url.href])
  let file: TemporaryFile | undefined
  let end = 0
  const starts: number[] = []
  try {
    for (let page: OpenedAddress | undefined = first; page?.chunks !== undefined; ) {
      const start = end
      for await (const chunk of page.chunks) {
        try {
          file ??= openTemporaryFile()
          file.write(chunk, end)
        } catch (error) {
          throw notKept(error)
        }
        end += chunk.length
      }
      starts.push(start)
      page = file && (await nextPage(page, file.read(end, start), visited))
    }
    for (const [at, start] of starts.entries()) {
      if (at > 0) yield PAGE_END
      if (file !== undefined) yield* file.read(starts[at + 1] ?? end, start)
    }
  } catch (error) {
    if (error instanceof FetchError && visited.size > 1)
      error.message = `page ${visited.size}: ${error.message}`
    throw error
  } finally {
    file?.leave()
  }
}

/** Requests the page after a page with these bytes; undefined after the last. */
async function nextPage(page: OpenedAddress, bytes: AsyncIterable<Buffer>, visited: Set<string>) {
  const next = linkedNext(page.headers) ?? (await statedNext(bytes))
  if (next === undefined) return undefined
  const url = addressWithin(page.url, next, elsewhere)
  if (visited.has(url.href)) throw endless('the next page is one that was fetched already')
  if (visited.size === MOST_PAGES) throw endless(`there are more than ${MOST_PAGES} pages`)
  visited.add(url.href)
  return checkedSource(await page.open(url))
}

function notKept(error: unknown): Error {
  const folder = tmpdir()
  const why = deniedByNode('write', folder) ?? `takes no temporary file (${errorCode(error) ?? error})`
  return new Error(`${folder} ${why}; TMPDIR names another folder`, { cause: error })
}

const elsewhere = (shown: string) => `the next page is elsewhere, at ${shown}: fetch all pages into one list`
const endless = (what: string) =>
  new FetchError('unreadable', `${what}: ask the publisher for longer pages, or fetch them into one list`)

/** A link with an anchor belongs to another resource. */
function isNext(link: string): boolean {
  const [, relations = ''] = /;\s*rel\s*=\s*("[^"]*"|[^\s",;]*)/i.exec(link) ?? []
  return /(?:^|["\s])next(?:["\s]|$)/i.test(relations) && !/;\s*anchor\s*=/i.test(link)
}

/** The address of the next page as the header Link states it (RFC 8288). */
const linkedNext = ({ link = '' }: IncomingHttpHeaders): string | undefined =>
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
    // The reader of the source reports the fault.
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** Servers often send an error page as a success, with the media type of the data. */
async function* withoutHtml(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const chunk of chunks) {
    if (isFirst && /^\W*<(!doctype|html|head|body)\b/i.test(chunk.toString('latin1', 0, 100)))
      throw htmlPage()
    isFirst = false
    yield chunk
  }
}

const htmlPage = () =>
  new FetchError('type', 'the server sent an HTML page, not data; open the address in a browser to see it')
