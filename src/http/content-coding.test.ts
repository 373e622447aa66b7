import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { compress, compressor, preferredCoding } from './negotiation.ts'

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync }

test('takes the best coding that the client accepts (RFC 9110 12.5.3)', () => {
  assert.equal(preferredCoding(undefined), 'identity')
  assert.equal(preferredCoding(''), 'identity')
  assert.equal(preferredCoding('gzip, deflate, br'), 'br')
  assert.equal(preferredCoding('gzip'), 'gzip')
  assert.equal(preferredCoding('gzip;q=0, br;q=0'), 'identity')
  assert.equal(preferredCoding('*'), 'br')
  assert.equal(preferredCoding('zstd'), 'identity')
})

test('gives identity where the client accepts nothing: a response helps more than none', () => {
  assert.equal(preferredCoding('identity;q=0'), 'identity')
})

test('decoding gives the same bytes, of small and large bodies, and thorough work makes them no larger', async () => {
  for (const repeats of [200, 20_000]) {
    const body = Buffer.from('{"results":[1,2,3]}'.repeat(repeats))
    for (const coding of ['br', 'gzip'] as const) {
      const fast = await compress(body, coding, 'fast')
      const thorough = await compress(body, coding, 'thorough')
      assert.deepEqual(DECODERS[coding](fast), body)
      assert.deepEqual(DECODERS[coding](thorough), body)
      assert.ok(thorough.length <= fast.length)
    }
  }
})

test('a stream is encoded incrementally', async () => {
  for (const coding of ['br', 'gzip'] as const) {
    const encoded = await buffer(Readable.from(['one ', 'two']).pipe(compressor(coding)))
    assert.equal(DECODERS[coding](encoded).toString(), 'one two')
  }
})
