import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { shortDigest } from '../../store/encoding/content.ts'
import { createDigestCounts } from './digest-counts.ts'

test('a digest is taken as often as it was added, in any order and however full the slots are', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', ''), { maxLength: 30 })
  fc.assert(
    fc.property(texts, texts, (added, taken) => {
      const counts = createDigestCounts(added.length)
      const expected = new Map<string, number>()
      for (const text of added) {
        counts.add(shortDigest(text))
        expected.set(text, (expected.get(text) ?? 0) + 1)
      }
      for (const text of taken) {
        const left = expected.get(text) ?? 0
        assert.equal(counts.take(shortDigest(text)), left > 0)
        expected.set(text, Math.max(left - 1, 0))
      }
      assert.equal(
        counts.left,
        [...expected.values()].reduce((sum, left) => sum + left, 0),
      )
    }),
  )
})

test('digests that belong in the same slot are told apart', () => {
  const digest = (last: number) => Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last)
  const counts = createDigestCounts(3)
  for (const last of [0, 1, 2]) counts.add(digest(last))
  assert.deepEqual(
    [3, 2, 0, 1, 1].map(last => counts.take(digest(last))),
    [false, true, true, true, false],
  )
})
