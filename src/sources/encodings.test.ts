import assert from 'node:assert/strict'
import { text as textOf } from 'node:stream/consumers'
import { test } from 'node:test'
import fc from 'fast-check'
import { pieces } from '../../test/support/pieces.ts'
import { decodeText } from './encodings.ts'
import type { Encoding } from './source-options.ts'

const decode = (bytes: Buffer, encoding?: Encoding, size = bytes.length || 1) =>
  textOf(decodeText(pieces(bytes, size), encoding))

test('text is the same however its bytes are cut, and UTF-16 is known by its byte order mark, or else by its name', async () => {
  const unit = fc.constantFrom('binary' as const, 'grapheme' as const)
  const bodies = unit.chain(unit => fc.string({ unit }))
  await fc.assert(
    fc.asyncProperty(bodies, fc.integer({ min: 1, max: 7 }), async (body, size) => {
      const text = `a,b${body}`
      assert.equal(await decode(Buffer.from(text), undefined, size), text)
      for (const mark of ['', '\ufeff']) {
        const little = Buffer.from(mark + text, 'utf16le')
        const big = Buffer.from(little).swap16()
        assert.equal(await decode(little, mark ? undefined : 'utf-16le', size), text)
        assert.equal(await decode(big, mark ? undefined : 'utf-16be', size), text)
      }
    }),
    { numRuns: 200 },
  )
})

test('Windows-1252 has printable characters where ISO 8859-1 has none, and ISO 8859-15 the euro in another place', async () => {
  const bytes = Buffer.from([0x41, 0x80, 0x92, 0x9f, 0xa4, 0xe9, 0xff])
  assert.equal(await decode(bytes, 'windows-1252'), 'A€’Ÿ¤éÿ')
  assert.equal(await decode(bytes, 'iso-8859-1'), 'A€’Ÿ¤éÿ')
  assert.equal(await decode(Buffer.from([0x41, 0xa4, 0xbd, 0xe9]), 'iso-8859-15'), 'A€œé')
})

test('each byte of Windows-1252 is one character, and in Unicode the Encoding Standard’s', async () => {
  const all = await decode(Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)), 'windows-1252')
  assert.equal(all.length, 256)
  // From the index of the Encoding Standard.
  assert.equal(
    all.slice(0x80, 0xa0),
    '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
      '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178',
  )
})

test('a byte order mark tells the encoding whatever is said', async () => {
  const marked = Buffer.from('\ufeffGoélands')
  assert.equal(await decode(marked, 'windows-1252'), 'Goélands')
  assert.equal(await decode(Buffer.from('\ufeffGoélands', 'utf16le'), 'utf-8'), 'Goélands')
})

test('old and encrypted workbooks are refused by their first bytes, in any encoding', async () => {
  const old = Buffer.from('d0cf11e0a1b11ae1'.padEnd(64, '0'), 'hex')
  for (const size of [1, 64])
    await assert.rejects(decode(old, 'windows-1252', size), {
      name: 'Refusal',
      message: /old \(\.xls\) or encrypted; save it as \.xlsx/,
    })
})

test('text that is not in its encoding is refused with a line', async () => {
  const cut = Buffer.from('\ufeffname\nPier\n', 'utf16le').subarray(0, -1)
  const alone = Buffer.from('\ufeffname\nPier\n\ud800x', 'utf16le')
  for (const bytes of [cut, alone])
    await assert.rejects(decode(bytes), {
      name: 'Refusal',
      message: /on line \d+ or later the text is not UTF-16LE; .*--encoding/,
    })
})

test('leaves out a byte order mark at the start only', async () => {
  for (const size of [1, 2, 3, 100])
    assert.equal(
      await decode(Buffer.from('\ufeffa\ufeffb'), undefined, size),
      'a\ufeffb',
      `${size} bytes at a time`,
    )
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
    for (const size of [1, 2, 5, 100])
      await assert.rejects(decode(bytes, undefined, size), { name: 'Refusal', message })
})

test('refuses UTF-16 by its first bytes', async () => {
  const utf16 = /UTF-16 text does; name it with --encoding utf-16le or utf-16be, or save it as UTF-8/
  await assert.rejects(decode(Buffer.from('make,model', 'utf16le')), { message: utf16 })
  await assert.rejects(decode(Buffer.from('make,model', 'utf16le').swap16()), { message: utf16 })
})
