import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { encode, preferredCoding } from './content-coding.ts'

test('takes the best coding that the consumer accepts (RFC 9110 12.5.3)', () => {
  assert.equal(preferredCoding(undefined), 'identity')
  assert.equal(preferredCoding(''), 'identity')
  assert.equal(preferredCoding('gzip, deflate, br'), 'br')
  assert.equal(preferredCoding('gzip'), 'gzip')
  assert.equal(preferredCoding('gzip;q=0, br;q=0'), 'identity')
  assert.equal(preferredCoding('*'), 'br')
  assert.equal(preferredCoding('zstd'), 'identity')
})

test('gives identity where the consumer accepts nothing: an answer helps more than none', () => {
  assert.equal(preferredCoding('identity;q=0'), 'identity')
})

test('encodes so that decoding gives the same bytes, and compresses the same Buffer once', async () => {
  const body = Buffer.from('{"results":[]}'.repeat(200))
  assert.equal(encode(body, 'identity'), body)
  assert.deepEqual(gunzipSync(await encode(body, 'gzip')), body)
  assert.deepEqual(brotliDecompressSync(await encode(body, 'br')), body)
  assert.equal(await encode(body, 'br'), await encode(body, 'br'))
})
