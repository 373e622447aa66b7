import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createIndenter } from './reshaping.ts'

/** The text indented, given in pieces of this many bytes. */
function indented(text: string, size = 1_000_000): string {
  const bytes = Buffer.from(text)
  const indent = createIndenter()
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) pieces.push(indent(bytes.subarray(at, at + size)))
  return Buffer.concat(pieces).toString()
}

test('any value is indented as JSON.stringify does, wherever the text is cut and however it was spaced', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 9 }), fc.nat(3), (value, size, space) => {
      assert.equal(indented(JSON.stringify(value, null, space), size), JSON.stringify(value, null, 2))
    }),
  )
})

test('names keep their order, and numbers their digits', () => {
  const text = '{"Ford":2,"208":1,"__proto__":1.50,"a\\"b:,[":-0}'
  assert.equal(indented(text), '{\n  "Ford": 2,\n  "208": 1,\n  "__proto__": 1.50,\n  "a\\"b:,[": -0\n}')
})
