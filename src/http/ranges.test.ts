import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../errors.ts'
import { requestedRange } from './ranges.ts'

const FILE = { length: 100, etag: '"a"', lastModified: 'Tue, 24 Nov 2026 15:00:00 GMT' }
const range = (text: string, ifRange?: string) => {
  const found = requestedRange({ range: text, 'if-range': ifRange }, FILE)
  return found && [found.start, found.end]
}

test('first and last byte, an open end, the last bytes (RFC 9110 14.1.2)', () => {
  assert.deepEqual(range('bytes=0-9'), [0, 10])
  assert.deepEqual(range('Bytes=99-'), [99, 100])
  assert.deepEqual(range('bytes=10-5000'), [10, 100])
  assert.deepEqual(range('bytes=-30'), [70, 100])
  assert.deepEqual(range('bytes=-5000'), [0, 100])
})

test('what is no range, or several, gets the whole file (14.2)', () => {
  for (const text of [
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=9-3',
    'bytes=a-b',
    'lines=0-9',
    'bytes=0-1,3-4',
  ])
    assert.equal(range(text), undefined, text)
  assert.equal(requestedRange({}, FILE), undefined)
})

test('a range behind the end cannot be satisfied, and the length is told (14.4)', () => {
  for (const text of ['bytes=100-', 'bytes=100-200', 'bytes=-0'])
    assert.throws(
      () => range(text),
      (error: Problem) =>
        error instanceof Problem && error.status === 416 && error.headers['content-range'] === 'bytes */100',
      text,
    )
})

test('If-Range with another version, or a weak tag, gets the whole file (13.1.5)', () => {
  assert.deepEqual(range('bytes=5-', '"a"'), [5, 100])
  assert.deepEqual(range('bytes=5-', FILE.lastModified), [5, 100])
  for (const other of ['"b"', 'W/"a"', 'Tue, 24 Nov 2026 15:00:01 GMT'])
    assert.equal(range('bytes=5-', other), undefined, other)
})
