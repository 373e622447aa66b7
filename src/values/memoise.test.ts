import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCache, memoise } from './memoise.ts'

const MANY = 200_000
const maxEntries = 65_536

test('a cache has what was set, and nothing else', () => {
  const cache = createCache<string, number>({ maxEntries })
  cache.set('one', 1)
  cache.set('none', 0)
  assert.deepEqual([cache.get('one'), cache.get('none'), cache.get('two')], [1, 0, undefined])
})

test('a cache is bounded, and a frequent key is cached again soon', () => {
  for (const isAdaptive of [false, true]) {
    const cache = createCache<string, number>({ maxEntries, isAdaptive })
    const texts = Array.from({ length: MANY }, (_, at) => `text ${at}`)
    for (const [at, text] of texts.entries()) {
      cache.set(text, at)
      assert.deepEqual([cache.get(text), cache.get(text)], [at, at])
      if (at % 1000 === 0) cache.set('often', -1)
    }
    assert.ok(texts.filter(text => cache.get(text) !== undefined).length < 70_000)
    assert.equal(cache.get('often'), -1)
  }
})

test('an adaptive cache stops caching where keys do not repeat, another goes on', () => {
  for (const isAdaptive of [false, true]) {
    const cache = createCache<string, number>({ maxEntries, isAdaptive })
    for (let at = 0; at < MANY; at++) cache.set(`text ${at}`, at)
    assert.equal(cache.get(`text ${MANY - 1}`), isAdaptive ? undefined : MANY - 1)
  }
})

test('a memoised function computes once for each key, while they are few', () => {
  let times = 0
  const double = memoise((value: number) => {
    times++
    return value * 2
  }, 2)
  assert.deepEqual([double(1), double(2), double(1), times], [2, 4, 2, 2])
  double(3)
  assert.deepEqual([double(1), times], [2, 4])
})
