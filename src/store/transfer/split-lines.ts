const LINE_FEED = 0x0a
/** Bytes of the longest line of a backup, its line feed included. */
export const LONGEST_LINE = 1 << 20

/** Splits bytes into lines, each with its line feed. Throws RangeError for a line that is too long, and keeps none of it. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let length = 0
  for await (const chunk of chunks)
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(LINE_FEED, start) + 1
      const piece = chunk.subarray(start, end || chunk.length)
      start += piece.length
      length += piece.length
      if (length > LONGEST_LINE) throw new RangeError(`it has more than ${LONGEST_LINE} bytes`)
      pieces.push(piece)
      if (end === 0) continue
      yield pieces.length === 1 ? piece : Buffer.concat(pieces)
      pieces = []
      length = 0
    }
  if (length > 0) yield Buffer.concat(pieces)
}
