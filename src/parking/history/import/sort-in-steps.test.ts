import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sortInSteps } from './sort-in-steps.ts'

const LENGTHS = [0, 1, 1000, 1 << 16, (1 << 16) + 1, 200_000, 500_000]

for (const length of LENGTHS)
  test(`${length} numbers are sorted, equal ones by the rest of the order`, async () => {
    const key = (item: number) => (item * 7919) % 1009
    const compare = (a: number, b: number) => key(a) - key(b) || a - b
    const items = Uint32Array.from({ length }, (_, index) => length - index)
    const wanted = Array.from(items).sort(compare)
    assert.deepEqual(Array.from(await sortInSteps(items, compare)), wanted)
  })

test('a timer is due while many numbers are sorted', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  await sortInSteps(
    Uint32Array.from({ length: 500_000 }, (_, index) => (index * 7919) % 500_000),
    (a, b) => a - b,
  )
  clearInterval(timer)
  assert.ok(turns >= 5, `${turns} turns`)
})
