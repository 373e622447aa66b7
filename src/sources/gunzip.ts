import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Refusal } from './refusal.ts'

/** Decompresses bytes with gzip's magic number, whatever the file's name; yields others unchanged. Throws {@link Refusal}. */
export async function* gunzipped(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  let next = await iterator.next()
  while (!next.done && head.length < 2) {
    head = Buffer.concat([head, next.value])
    if (head.length < 2) next = await iterator.next()
  }
  async function* whole() {
    try {
      yield head
      for (let one = await iterator.next(); !one.done; one = await iterator.next()) yield one.value
    } finally {
      await iterator.return?.()
    }
  }
  if (head.length === 0) throw new Refusal('the source is empty; nothing was read from it')
  if (head[0] === 0x1f && head[1] === 0x8b) yield* unpacked(whole())
  else yield* whole()
}

async function* unpacked(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    // Errors reach the loop through the iterated stream.
    yield* pipeline(packed, createGunzip(), () => {})
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR')
      throw new Refusal('the gzip file is cut off before its end; fetch or pack it again')
    if (code?.startsWith('Z_')) throw new Refusal('the gzip file is damaged; fetch or pack it again')
    throw error
  }
}
