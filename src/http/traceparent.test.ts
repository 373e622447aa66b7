import assert from 'node:assert/strict'
import { test } from 'node:test'
import { traceOf } from './request.ts'

/** The traceparent that the response to a request with this one has. */
const traceparentOf = (sent?: string | string[]) =>
  /^traceparent;desc="(.*)"$/.exec(String(traceOf(sent).header[1]))?.[1]

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const SENT = `00-${TRACE}-${PARENT}-01`

test('a valid traceparent is taken, also of a later version (W3C Trace Context 3.2, 4)', () => {
  assert.equal(traceparentOf(SENT), SENT)
  assert.equal(traceOf(SENT).id, TRACE)
  for (const later of [`cc-${TRACE}-${PARENT}-01`, `cc-${TRACE}-${PARENT}-01-what-comes`])
    assert.equal(traceparentOf(later), SENT)
})

test('for any other one a new one is made, valid and different each time', () => {
  const wrong = [
    ...[undefined, '', 'nonsense', ['a', 'b'], `${SENT}, ${SENT}`, ` ${SENT}`, `${SENT} `],
    ...[SENT.toUpperCase(), `${SENT}-more`, `${SENT}0`, SENT.slice(0, -1), `ff-${TRACE}-${PARENT}-01`],
    ...[`00-${'0'.repeat(32)}-${PARENT}-01`, `00-${TRACE}-${'0'.repeat(16)}-01`, `cc-${TRACE}-${PARENT}-01.`],
    ...[
      `00-${TRACE}-${PARENT}-01"\r\nSet-Cookie: a=b`,
      `0x-${TRACE}-${PARENT}-01`,
      `00_${TRACE}_${PARENT}_01`,
    ],
    ...Array.from({ length: 500 }, () => undefined),
  ]
  const made = wrong.map(traceparentOf)
  assert.equal(new Set(made.map(each => each?.slice(3, 35))).size, wrong.length)
  for (const each of made) {
    assert.match(String(each), /^00-[\da-f]{32}-[\da-f]{16}-00$/)
    assert.equal(traceparentOf(each), each)
  }
})
