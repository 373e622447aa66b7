import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { MOST_EXPANSION } from './limits.ts'
import { openPipe } from './pipe.ts'
import { Refusal } from './source-row.ts'

/** The bytes of a source, before decompression. */
export interface SourceBytes {
  readonly chunks: AsyncIterable<Buffer>
  /** The size in bytes; null where it is unknown. */
  readonly total: number | null
  /** The number of bytes read from `chunks` so far. */
  taken(): number
}

/** A piece's rows are in memory together, and the smallest rows take a hundred times their bytes. */
const PIECE_BYTES = 16_384

/** The chunk between two pages of a source. It is recognised by its identity. */
export const PAGE_END = Buffer.alloc(0)

/** The pages of a source. Each is a document of its own and must be read before the next. */
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

/** Opens the file at `source`, standard input for `-`, or `input`. Throws {@link Refusal}. */
export async function openBytes(source: string, input?: Readable): Promise<SourceBytes> {
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

function counted(input: Readable, source: string, total: number | null): SourceBytes {
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
  return { chunks: chunks(), total, taken: () => taken }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; check its name and the folder that you are in',
  ENOTDIR: 'there is no such file; check its name and the folder that you are in',
  EACCES: 'this user may not read it; change its permissions',
  EPERM: 'this user may not read it; change its permissions',
}

function refuse(source: string, error: unknown): never {
  if (error instanceof Refusal) throw error
  const { code = '', message } = error as NodeJS.ErrnoException
  throw new Refusal(`${source} cannot be read: ${REASONS[code] ?? message}`)
}

/** Reads the first bytes, `length` of them where there are so many; `whole` yields all bytes from the start. */
export async function withHead(
  chunks: AsyncIterable<Buffer>,
  length: number,
): Promise<{ head: Buffer; whole: AsyncGenerator<Buffer> }> {
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

/** Decompresses bytes with gzip's magic number, whatever the file's name; yields others unchanged. Throws {@link Refusal}. */
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
    const { code } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR')
      throw new Refusal('the gzip file is cut off before its end; fetch or pack it again')
    if (code?.startsWith('Z_')) throw new Refusal('the gzip file is damaged; fetch or pack it again')
    throw error
  }
}
