import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { pieces } from '../../test/support/pieces.ts'
import { gunzipped, openBytes } from './bytes.ts'

const folder = await mkdtemp(join(tmpdir(), 'pds-bytes-'))
after(() => rm(folder, { recursive: true }))

test('gives the bytes of a file and how far it has come', async () => {
  const file = join(folder, 'a.csv')
  await writeFile(file, 'x'.repeat(200_000))
  const bytes = await openBytes(file)
  assert.equal(bytes.total, 200_000)
  let length = 0
  for await (const chunk of bytes.chunks) {
    length += chunk.length
    assert.equal(bytes.taken(), length)
  }
  assert.equal(length, 200_000)
})

test('takes bytes from a stream, whose length is not known', async () => {
  const bytes = await openBytes('-', Readable.from([Buffer.from('ab'), 'cd']))
  assert.equal(await textOf(bytes.chunks), 'abcd')
  assert.equal(bytes.total, null)
})

test('says why a source cannot be read', async () => {
  const missing = join(folder, 'missing.csv')
  await assert.rejects(openBytes(missing), {
    name: 'Refusal',
    message: /missing\.csv cannot be read: there is no such file/,
  })
  await assert.rejects(openBytes(folder), { name: 'Refusal', message: /is a folder: name a file in it/ })
})

test('a stream that fails is a source that cannot be read', async () => {
  const failing = new Readable({ read: () => failing.destroy(new Error('the line broke')) })
  const { chunks } = await openBytes('the wire', failing)
  await assert.rejects(textOf(chunks), {
    name: 'Refusal',
    message: 'the wire cannot be read: the line broke',
  })
})

const unpack = (bytes: Buffer, size = 1000) => textOf(gunzipped(pieces(bytes, size)))

const text = Array.from({ length: 20_000 }, (_, line) => `line ${line}`).join('\n')
const packed = gzipSync(text)

test('unpacks gzip, also of several members, and passes on what is not', async () => {
  const few = text.slice(0, 10_000)
  for (const [given, size] of [
    [few, 1],
    [text, 1000],
  ] as const) {
    assert.equal(await unpack(gzipSync(given), size), given)
    assert.equal(await unpack(Buffer.from(given), size), given)
  }
  assert.equal(await unpack(Buffer.concat([packed, packed])), text + text)
})

test('refuses gzip that is cut off, wherever it is', async () => {
  for (const length of [2, 5, 10, 500, packed.length - 9, packed.length - 1])
    await assert.rejects(
      unpack(packed.subarray(0, length)),
      { name: 'Refusal', message: /cut off/ },
      `${length} bytes`,
    )
})

test('refuses gzip that is damaged', async () => {
  const damaged = Buffer.from(packed)
  damaged.fill(0xff, 5000, 5100)
  await assert.rejects(unpack(damaged), { name: 'Refusal', message: /damaged/ })
})

test('refuses nothing at all', async () => {
  await assert.rejects(unpack(Buffer.alloc(0)), { name: 'Refusal', message: /empty/ })
})

test('lets go of its source when reading stops early', async () => {
  let closed = 0
  async function* source(bytes: Buffer) {
    try {
      for (;;) yield bytes
    } finally {
      closed++
    }
  }
  for (const bytes of [packed, Buffer.from(text)]) for await (const _ of gunzipped(source(bytes))) break
  for (let turn = 0; turn < 100 && closed < 2; turn++) await new Promise(setImmediate)
  assert.equal(closed, 2)
})
