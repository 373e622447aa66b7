import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { openBytes } from './bytes.ts'

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
  const chunks: Buffer[] = []
  for await (const chunk of bytes.chunks) chunks.push(chunk)
  assert.equal(Buffer.concat(chunks).toString(), 'abcd')
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
  const readAll = async () => {
    for await (const _ of chunks);
  }
  await assert.rejects(readAll, { name: 'Refusal', message: 'the wire cannot be read: the line broke' })
})
