const LINE_FEED = 0x0a
/** A line has some megabytes at most; a file that is no backup may have any. */
const LONGEST = 1 << 28

/** Splits bytes into lines, each with its line feed. Throws RangeError for a line that is too long for any backup. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let length = 0
  for await (const chunk of chunks)
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(LINE_FEED, start) + 1
      const piece = chunk.subarray(start, end || chunk.length)
      start += piece.length
      pieces.push(piece)
      length += piece.length
      if (length > LONGEST) throw new RangeError(`a line has more than ${LONGEST} bytes`)
      if (end === 0) continue
      yield pieces.length === 1 ? piece : Buffer.concat(pieces)
      pieces = []
      length = 0
    }
  if (length > 0) yield Buffer.concat(pieces)
}
