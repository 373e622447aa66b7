import { closeSync, constants, createReadStream, openSync, readSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { errorCode, messageOf } from '../values/system/error-code.ts'
import { MOST_EXPANSION, PIPE_WAIT_MS } from './limits.ts'
import { Refusal } from './source-row.ts'

/** The rows of a piece are in memory together, and the smallest rows take a hundred times their bytes. */
const PIECE_BYTES = 16_384

/** The chunk between two pages of a source. It is recognised by its identity. */
export const PAGE_END = Buffer.alloc(0)

/** The pages of a source. Each page is a separate document and must be read before the next page. */
export async function* pagesOf(chunks: AsyncIterable<Buffer>) {
  const iterator = chunks[Symbol.asyncIterator]()
  let next = await iterator.next()
  async function* page() {
    for (; !next.done && next.value !== PAGE_END; next = await iterator.next()) yield next.value
  }
  try {
    for (; !next.done; next = await iterator.next()) yield page()
  } finally {
    await iterator.return?.()
  }
}

/** Opens the bytes of the file at `source`, of standard input for `-`, or `input`. Throws {@link Refusal}. */
export async function openBytes(source: string, input?: Readable) {
  if (input !== undefined) return counted(input, source, null)
  if (source === '-') return counted(process.stdin, 'standard input', null)
  const about = await stat(source).catch(error => refuse(source, error))
  if (about.isDirectory()) throw new Refusal(`${source} is a folder: name a file in it`)
  if (about.isFIFO())
    return counted(await openPipe(source).catch(error => refuse(source, error)), source, null)
  return counted(
    createReadStream(source, { highWaterMark: PIECE_BYTES }),
    source,
    about.isFile() ? about.size : null,
  )
}

function counted(input: Readable, source: string, total: number | null) {
  let taken = 0
  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of input) {
        const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
        taken += bytes.length
        yield bytes
      }
    } catch (error) {
      refuse(source, error)
    }
  }
  return {
    chunks: chunks(),
    /** The size in bytes; null if unknown. */
    total,
    /** The number of bytes read from `chunks` so far. */
    taken: () => taken,
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; check its name and the folder that you are in',
  ENOTDIR: 'there is no such file; check its name and the folder that you are in',
  EACCES: 'this user may not read it; change its permissions',
  EPERM: 'this user may not read it; change its permissions',
}

function refuse(source: string, error: unknown): never {
  if (error instanceof Refusal) throw error
  const message = messageOf(error)
  throw new Refusal(`${source} cannot be read: ${REASONS[errorCode(error) ?? ''] ?? message}`)
}

const MS_BETWEEN_LOOKS = 50

/**
 * Opens a named pipe for reading without blocking: a thread that waits in `open` cannot be interrupted and keeps the
 * process from exiting. Throws {@link Refusal} if no program writes to the pipe within {@link PIPE_WAIT_MS}.
 */
async function openPipe(path: string): Promise<Readable> {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const first = Buffer.alloc(1 << 16)
  for (let waited = 0; waited < PIPE_WAIT_MS; waited += MS_BETWEEN_LOOKS) {
    const length = readNow(fd, first)
    if (length !== 0) {
      const socket = new Socket({ fd, readable: true, writable: false })
      if (length > 0) socket.unshift(first.subarray(0, length))
      return socket
    }
    // A read finds the end of the pipe until a program has opened it for writing.
    await setTimeout(MS_BETWEEN_LOOKS)
  }
  closeSync(fd)
  throw new Refusal(
    `${path} is a pipe to which no program writes; start one within ${PIPE_WAIT_MS / 1000} seconds`,
  )
}

/** The number of bytes read; -1 if the writer has not written any bytes yet. */
function readNow(fd: number, into: Buffer): number {
  try {
    return readSync(fd, into)
  } catch (error) {
    if (errorCode(error) === 'EAGAIN') return -1
    throw error
  }
}

/** Reads at least the first `length` bytes, or all bytes of a shorter source; `whole` yields all bytes from the start. */
export async function withHead(chunks: AsyncIterable<Buffer>, length: number) {
  const iterator = chunks[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  while (head.length < length) {
    const next = await iterator.next()
    if (next.done) break
    head = Buffer.concat([head, next.value])
  }
  async function* whole() {
    try {
      yield head
      for (let one = await iterator.next(); !one.done; one = await iterator.next()) yield one.value
    } finally {
      await iterator.return?.()
    }
  }
  return { head, whole: whole() }
}

/**
 * Decompresses bytes with gzip's magic number, whatever the file's name; leaves other bytes unchanged. Throws
 * {@link Refusal}.
 */
export async function* gunzipped(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { head, whole } = await withHead(chunks, 2)
  if (head.length === 0) throw new Refusal('the source is empty; nothing was read from it')
  yield* head[0] === 0x1f && head[1] === 0x8b ? unpacked(whole) : whole
}

async function* unpacked(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { times, beyondBytes } = MOST_EXPANSION
  const gunzip = createGunzip()
  let bytes = 0
  try {
    // Errors reach the loop through the iterated stream.
    for await (const chunk of pipeline(packed, gunzip, () => {})) {
      bytes += chunk.length
      if (bytes > beyondBytes && bytes > times * gunzip.bytesWritten)
        throw new Refusal(
          `the gzip file unpacks to more than ${times} times its size, which is the most allowed; unpack it, look at it and import the result`,
        )
      yield chunk
    }
  } catch (error) {
    const code = errorCode(error) ?? ''
    if (code === 'Z_BUF_ERROR')
      throw new Refusal('the gzip file is cut off before its end; fetch or pack it again')
    if (code.startsWith('Z_')) throw new Refusal('the gzip file is damaged; fetch or pack it again')
    throw error
  }
}

const LINE_FEED = 0x0a

/** Counts the line feeds of some bytes. */
export function lineFeeds(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count++
  return count
}
