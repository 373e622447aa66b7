import { isUtf8 } from 'node:buffer'
import { Refusal } from './source-row.ts'

const LINE_FEED = 0x0a

/**
 * Decodes UTF-8, without a byte order mark. Refuses invalid bytes with their line rather than replacing them: a replaced
 * letter is lost for good.
 */
export async function* decodeUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  let line = 1
  let atStart = true
  for await (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    if (atStart && bytes.length < 3) {
      rest = bytes
      continue
    }
    if (atStart) refuseUtf16(bytes)
    const whole = bytes.subarray(0, wholeCharacters(bytes))
    rest = bytes.subarray(whole.length)
    if (!isUtf8(whole)) refuseByte(whole, line)
    line += lineFeeds(whole)
    const text = whole.toString('utf8')
    yield atStart ? text.replace(/^\ufeff/, '') : text
    atStart = false
  }
  if (!isUtf8(rest)) refuseByte(rest, line)
  if (rest.length > 0) yield rest.toString('utf8')
}

/** The number of leading bytes that hold whole characters; up to three more may begin one that the next chunk ends. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

function refuseUtf16(bytes: Buffer): void {
  const [first, second] = bytes
  if (first === 0 || second === 0)
    throw new Refusal(
      `line 1 begins with the bytes ${hex(first)} ${hex(second)}, as UTF-16 text does; name it with --encoding utf-16le or utf-16be, or save it as UTF-8`,
    )
}

function refuseByte(bytes: Buffer, firstLine: number): never {
  const at = firstBadByte(bytes)
  const line = firstLine + lineFeeds(bytes.subarray(0, at))
  throw new Refusal(
    `line ${line} holds the byte ${hex(bytes[at])}, which is not UTF-8; if it is Windows-1252 text, add --encoding windows-1252, else save it as UTF-8`,
  )
}

/** The position of the first invalid byte, by binary search: every prefix of a valid prefix is valid. */
function firstBadByte(bytes: Buffer): number {
  let sound = 0
  let bad = bytes.length
  while (bad - sound > 1) {
    const middle = (sound + bad) >> 1
    const front = bytes.subarray(0, middle)
    if (isUtf8(front.subarray(0, wholeCharacters(front)))) sound = middle
    else bad = middle
  }
  // A truncated character is reported at its first byte.
  return wholeCharacters(bytes.subarray(0, sound))
}

function lineFeeds(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count++
  return count
}

const hex = (byte = 0) => `0x${byte.toString(16).toUpperCase().padStart(2, '0')}`
