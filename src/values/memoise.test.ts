import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heldMb } from '../../test/support/held-memory.ts'
import { createCache, memoise, memoiseSent } from './memoise.ts'

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

test('a text that a client sends is computed once while it is kept, and each time if it is long', () => {
  const computed: string[] = []
  const upper = memoiseSent(sent => {
    computed.push(sent)
    return sent.toUpperCase()
  })
  const [short, long] = ['text/html', 'x'.repeat(257)]
  for (const sent of [short, short, long, long]) assert.equal(upper(sent), sent.toUpperCase())
  assert.deepEqual(computed, [short, long, long])
  for (let at = 0; at < 1000; at++) upper(`text ${at}`)
  assert.equal(upper(short), 'TEXT/HTML')
  assert.equal(computed.filter(sent => sent === short).length, 2)
})

test('what clients send is kept in bounded memory, whatever its length, and as a part of a long header', () => {
  const header = 'x'.repeat(7000)
  const sent: readonly ((at: number) => string)[] = [
    at => `${at}${header}`,
    at => `${at}${header}`.slice(0, 250),
    at => `${at}${header}`.slice(0, 20),
    at => `${at}`,
  ]
  for (const textOf of sent) {
    const first = memoiseSent(text => text.slice(0, 15))
    const held = heldMb(() => {
      for (let at = 0; at < 20_000; at++) first(textOf(at))
      return first
    })
    assert.ok(held < 1, `${held} MB`)
  }
})
