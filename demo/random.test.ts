import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hash32, seededRandom, weights } from './random.ts'

test('the same seed and stream give the same numbers, on every platform the ones written here', () => {
  const random = seededRandom(1, 'test')
  const drawn = Array.from({ length: 4 }, () => random.int(0, 0xffff_ffff))
  assert.deepEqual(drawn, [885_985_383, 1_255_111_858, 2_063_451_984, 397_205_944])
  assert.equal(hash32('synthetic'), 4_278_477_827)
})

test('another seed or another stream gives other numbers', () => {
  const first = (seed: number, stream: string) => seededRandom(seed, stream).next()
  assert.notEqual(first(1, 'test'), first(2, 'test'))
  assert.notEqual(first(1, 'test'), first(1, 'other'))
})

test('whole numbers stay within both ends and reach them', () => {
  fc.assert(
    fc.property(
      fc.integer(),
      fc.integer({ min: -50, max: 50 }),
      fc.integer({ min: 0, max: 5 }),
      (seed, from, size) => {
        const random = seededRandom(seed, 'test')
        const drawn = new Set(Array.from({ length: 400 }, () => random.int(from, from + size)))
        assert.deepEqual([Math.min(...drawn), Math.max(...drawn)], [from, from + size])
      },
    ),
  )
})

test('items are drawn by weight, and never without one', () => {
  const random = seededRandom(3, 'test')
  const choice = weights([
    ['never', 0],
    ['seldom', 1],
    ['often', 3],
  ])
  const drawn = Array.from({ length: 20_000 }, () => random.weighted(choice))
  const share = drawn.filter(item => item === 'often').length / drawn.length
  assert.ok(Math.abs(share - 0.75) < 0.02, `often: ${share}`)
  assert.ok(!drawn.includes('never'))
})

test('nothing can be drawn from nothing', () => {
  const random = seededRandom(3, 'test')
  assert.throws(() => random.pick([]), RangeError)
  assert.throws(() => random.weighted(weights<string>([['a', 0]])), RangeError)
})
