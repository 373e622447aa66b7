import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNotModified } from './response.ts'

const etag = '"abc-gzip"'
const modified = new Date('2024-05-06T07:08:09.500Z')
const not = (headers: Parameters<typeof isNotModified>[0]) => isNotModified(headers, etag, modified)

test('without conditions the response is sent', () => {
  assert.equal(not({}), false)
})

test('a matching tag, alone, in a list, weak, or * means not modified (RFC 9110 13.1.2)', () => {
  assert.equal(not({ 'if-none-match': '"abc-gzip"' }), true)
  assert.equal(not({ 'if-none-match': '"x,y", W/"abc-gzip"' }), true)
  assert.equal(not({ 'if-none-match': ' * ' }), true)
})

test('another tag, or that of another coding, does not match', () => {
  assert.equal(not({ 'if-none-match': '"abc"' }), false)
  assert.equal(not({ 'if-none-match': '"abc-br"' }), false)
  assert.equal(not({ 'if-none-match': 'abc-gzip' }), false)
})

test('If-Modified-Since counts whole seconds (RFC 9110 13.1.3)', () => {
  assert.equal(not({ 'if-modified-since': 'Mon, 06 May 2024 07:08:09 GMT' }), true)
  assert.equal(not({ 'if-modified-since': 'Mon, 06 May 2024 07:08:08 GMT' }), false)
  assert.equal(not({ 'if-modified-since': 'yesterday' }), false)
})

test('If-None-Match wins over If-Modified-Since (RFC 9110 13.2.2)', () => {
  const since = 'Mon, 06 May 2024 07:08:09 GMT'
  assert.equal(not({ 'if-none-match': '"other"', 'if-modified-since': since }), false)
})
