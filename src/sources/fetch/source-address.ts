import { Readable } from 'node:stream'
import { type DeclaredStream, declaredEncoding } from '../encodings.ts'
import { FetchError } from './fetch-error.ts'
import { mediaTypeOf, type OpenedAddress, openAddress, type Validators } from './open-address.ts'
import { linkedNext, receivedPages } from './source-pages.ts'

/** The bounds of fetching a source, and what is known of it. */
export interface SourceFetchOptions {
  /** The most bytes of the response, as they are sent. */
  readonly maxBytes?: number | undefined
  readonly timeoutMs?: number | undefined
  readonly allowPrivate?: boolean | undefined
  readonly validators?: Validators | undefined
  readonly signal?: AbortSignal | undefined
}

/** The bounds of a source that states none. */
export const SOURCE_BOUNDS = { maxBytes: 256 * 1024 * 1024, timeoutMs: 120_000 }

const RULES = {
  accept: 'application/json, application/geo+json, text/csv, */*;q=0.5',
  // The reader unpacks it, as it does a file.
  acceptEncoding: 'gzip',
  maxRedirects: 3,
}

/** Requests a source at an address; only the first page of one in pages. Throws {@link FetchError}, or the signal's reason. */
export async function openSourceAddress(
  address: string,
  { maxBytes, timeoutMs, allowPrivate = false, validators, signal }: SourceFetchOptions,
): Promise<OpenedAddress> {
  const opened = await openAddress(address, {
    ...{ ...RULES, allowPrivate, validators, signal },
    maxBytes: maxBytes ?? SOURCE_BOUNDS.maxBytes,
    deadlineMs: timeoutMs ?? SOURCE_BOUNDS.timeoutMs,
  })
  // An unchanged first page says nothing about the pages that follow it.
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
    if (opened.headers['synthetic-data'] === 'true') throw synthetic()
    return { ...opened, chunks: withoutHtml(opened.chunks) }
  } catch (error) {
    await opened.close()
    throw error
  }
}

/**
 * The bytes of a source at an address, for the readers of sources, with `PAGE_END` between its pages: requested once the
 * first byte is read, and given once all have been received. An error of the stream is a {@link FetchError}, or the signal's reason.
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

/** Receives a source that has been requested, with all its pages, and then gives its bytes. */
export const receive = (opened: OpenedAddress): AsyncGenerator<Buffer> => receivedPages(opened, checkedSource)

/** A page that says that something is wrong is often sent as a success, and under the type of the data. */
async function* withoutHtml(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const chunk of chunks) {
    if (isFirst && /^\W*<(!doctype|html|head|body)\b/i.test(chunk.toString('latin1', 0, 100)))
      throw htmlPage()
    isFirst = false
    yield chunk
  }
}

/** A release from it would no longer say that nothing in it exists. */
const synthetic = () =>
  new FetchError(
    'type',
    'the server marks the data as synthetic: nothing in it exists, so it is not imported',
  )

const htmlPage = () =>
  new FetchError('type', 'the server sent an HTML page, not data; open the address in a browser to see it')
