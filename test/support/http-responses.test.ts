import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { parseResponses } from './http-responses.ts'

const read = (text: string, options = {}) => parseResponses(Buffer.from(text, 'latin1'), options)
const SOUND = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab'

test('reads responses in a row, decoded', () => {
  const packed = gzipSync('abc')
  const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`
  const unchanged = 'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n'
  const responses = parseResponses(
    Buffer.concat([Buffer.from(SOUND + unchanged + head), packed, Buffer.from(SOUND)]),
  )
  assert.deepEqual(
    responses.map(({ status, body }) => [status, body]),
    [
      [200, 'ab'],
      [304, ''],
      [200, 'abc'],
      [200, 'ab'],
    ],
  )
})

test('reads responses to HEAD, and such as were cut, only where there may be some', () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n'
  assert.equal(read(head + SOUND, { mayBeHead: true }).length, 2)
  assert.throws(() => read(head + SOUND))
  for (const cut of [SOUND.slice(0, -1), SOUND.slice(0, 20)]) {
    assert.equal(read(SOUND + cut, { mayBeCut: true }).length, 1)
    assert.throws(() => read(SOUND + cut))
  }
})

for (const [what, text] of Object.entries({
  'bytes before': `x${SOUND}`,
  'bytes after': `${SOUND}x`,
  'another version': SOUND.replace('1.1', '1.0'),
  'an interim status': SOUND.replace('200', '100'),
  'bare line feeds': SOUND.replaceAll('\r', ''),
  'a folded line': SOUND.replace('\r\n\r\n', '\r\n x\r\n\r\n'),
  'a control character in a header': SOUND.replace('\r\n\r\n', '\r\nX: a\0b\r\n\r\n'),
  'a blank before the colon': SOUND.replace('h:', 'h :'),
  'a header twice': SOUND.replace('\r\n\r\n', '\r\ncontent-length: 2\r\n\r\n'),
  'no length': SOUND.replace('Content-Length: 2\r\n', ''),
}))
  test(`refuses ${what}`, () => assert.throws(() => read(text)))
