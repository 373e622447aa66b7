import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeText } from './encodings.ts'

async function decode(bytes: Buffer, size = bytes.length || 1): Promise<string> {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  let text = ''
  for await (const piece of decodeText(chunks())) text += piece
  return text
}

test('gives the text however its bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', minLength: 2 }),
      fc.integer({ min: 1, max: 7 }),
      async (body, size) => {
        const text = `a,b${body}`
        assert.equal(await decode(Buffer.from(text), size), text)
      },
    ),
  )
})

test('leaves out a byte order mark at the start only', async () => {
  for (const size of [1, 2, 3, 100])
    assert.equal(await decode(Buffer.from('\ufeffa\ufeffb'), size), 'a\ufeffb', `${size} bytes at a time`)
})

test('names the line and the first byte that is not UTF-8', async () => {
  const cases: [Buffer, RegExp][] = [
    [
      Buffer.from('name\nGoélands\n', 'latin1'),
      /line 2 holds the byte 0xE9.*--encoding windows-1252, else save it as UTF-8/,
    ],
    [Buffer.from('name\nFor\xea', 'latin1'), /line 2 holds the byte 0xEA/],
    [Buffer.from('name\n\n\x93quoted\x94', 'latin1'), /line 3 holds the byte 0x93/],
    [
      Buffer.concat([Buffer.from('é\nab'), Buffer.from([0xe2, 0x82]), Buffer.from('x')]),
      /line 2 holds the byte 0xE2/,
    ],
    [Buffer.from([0x61, 0x62, 0x63, 0xc0, 0x80]), /line 1 holds the byte 0xC0/],
  ]
  for (const [bytes, message] of cases)
    for (const size of [1, 2, 5, 100]) await assert.rejects(decode(bytes, size), { name: 'Refusal', message })
})

test('refuses UTF-16 by its first bytes', async () => {
  const utf16 = /UTF-16 text does; name it with --encoding utf-16le or utf-16be, or save it as UTF-8/
  await assert.rejects(decode(Buffer.from('make,model', 'utf16le')), { message: utf16 })
  await assert.rejects(decode(Buffer.from('make,model', 'utf16le').swap16()), { message: utf16 })
})
