import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countInParts, createAllowances } from './allowances.ts'

const HOUR_MS = 3_600_000

test('workers let through what is allowed and no more; at most a twentieth is refused early', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 40, max: 700 }),
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.nat(), { minLength: 1400, maxLength: 1400 }),
      async (allowed, workers, turns) => {
        const allowances = createAllowances(workers)
        const counting = Array.from({ length: workers }, () =>
          countInParts(async (...asked) => allowances.take(...asked)),
        )
        let through = 0
        let refusedAfter: number | undefined
        for (const turn of turns) {
          const { count } = (await counting[turn % workers]?.count('a', allowed, HOUR_MS)) ?? assert.fail()
          if (count <= allowed) through++
          else refusedAfter ??= through
        }
        assert.ok(through <= allowed)
        assert.ok(Number(refusedAfter) >= Math.floor(allowed * 0.95) - workers)
      },
    ),
    { numRuns: 30 },
  )
})

test('requests that arrive together share one part, and another client has its own', async () => {
  const allowances = createAllowances(2)
  let taken = 0
  const { count } = countInParts(async (...asked) => {
    taken++
    return allowances.take(...asked)
  })
  const counts = await Promise.all(Array.from({ length: 5 }, () => count('a', 600, HOUR_MS)))
  assert.deepEqual(
    counts.map(each => each.count),
    [1, 2, 3, 4, 5],
  )
  assert.equal(taken, 1)
  assert.equal((await count('b', 600, HOUR_MS)).count, 1)
})

test('what a worker returns at its end can be taken again', async () => {
  const allowances = createAllowances(2)
  const { count, leave } = countInParts(async (...asked) => allowances.take(...asked))
  await count('a', 600, HOUR_MS)
  for (const [client, part] of leave()) allowances.giveBack(client, part)
  assert.equal(allowances.take('a', 600, HOUR_MS).left, 600 - 1 - 30)
})

test('a window that is over begins anew', async t => {
  t.mock.timers.enable({ apis: ['Date'] })
  const allowances = createAllowances(2)
  const { count } = countInParts(async (...asked) => allowances.take(...asked))
  for (let time = 0; time < 5; time++) await count('a', 4, HOUR_MS)
  assert.equal((await count('a', 4, HOUR_MS)).count, 5)
  t.mock.timers.tick(HOUR_MS)
  assert.deepEqual(await count('a', 4, HOUR_MS), { count: 1, millisecondsLeft: HOUR_MS })
})
