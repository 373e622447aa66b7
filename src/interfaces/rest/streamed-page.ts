import type { RowBatch } from '../../query/result.ts'

/** A page with a longer `limit` is streamed: made at once it would take megabytes for each client that reads it. */
export const LONGEST_BUFFERED_PAGE = 1000

const CHUNK_BYTES = 131_072

/** The same bytes as a page made at once: its records between `before` and `after`, joined by commas. */
export async function* streamPage(
  batches: AsyncIterable<RowBatch>,
  [before, after]: readonly [before: string, after: string],
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(before)
  let separator = ''
  for await (const batch of batches) {
    if (batch.length === 0) continue
    const json = batch.json()
    if (separator !== '') yield Buffer.from(separator)
    for (let at = 0; at < json.length; at += CHUNK_BYTES) yield json.subarray(at, at + CHUNK_BYTES)
    separator = ','
  }
  yield Buffer.from(after)
}
