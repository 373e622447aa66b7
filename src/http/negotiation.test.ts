import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../errors.ts'
import { JSON_TYPE, requireAcceptable } from './negotiation.ts'
import { prefersStrict } from './parameters.ts'

test('reads handling=strict among other preferences (RFC 7240)', () => {
  for (const strict of [
    'handling=strict',
    'respond-async, handling=strict',
    'Handling="strict"; a=b',
    ['wait=5', 'handling=strict'],
  ])
    assert.equal(prefersStrict(strict), true, String(strict))
  for (const lenient of [undefined, '', 'handling=lenient', 'handling=strictly', 'x-handling=strict'])
    assert.equal(prefersStrict(lenient), false, String(lenient))
})

test('takes every Accept header that allows JSON, and refuses the others', () => {
  const accepts = (header: string | undefined) => {
    try {
      requireAcceptable(header, JSON_TYPE)
      return true
    } catch (error) {
      assert.ok(error instanceof Problem && error.code === 'NOT_ACCEPTABLE')
      return false
    }
  }
  for (const header of [
    undefined,
    '',
    '*/*',
    'application/json',
    'application/json; charset=utf-8',
    'text/html, application/json;version=1 ; q=0.5',
    'application/*;q=0.1',
    'text/html, */*;q=0.8',
  ])
    assert.equal(accepts(header), true, header)
  for (const header of [
    'image/png',
    'application/json;q=0',
    'application/json; charset=utf-8; q=0',
    'text/html',
  ])
    assert.equal(accepts(header), false, header)
})
