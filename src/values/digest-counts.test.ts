import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDigestCounts } from './digest-counts.ts'

test('digests that belong in the same slot are told apart', () => {
  const digest = (last: number) => Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last)
  const counts = createDigestCounts(3)
  for (const last of [0, 1, 2]) counts.add(digest(last))
  assert.deepEqual(
    [3, 2, 0, 1, 1].map(last => counts.take(digest(last))),
    [false, true, true, true, false],
  )
})
