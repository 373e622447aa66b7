import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemory } from './memory.ts'

test('what was kept is known, and nothing else', () => {
  const memory = createMemory<number>()
  memory.keep('one', 1)
  memory.keep('none', 0)
  assert.deepEqual([memory.of('one'), memory.of('none'), memory.of('two')], [1, 0, undefined])
})

test('whatever a source holds, little is kept at once, and what is asked for often is known again soon', () => {
  const memory = createMemory<number>()
  const texts = Array.from({ length: 200_000 }, (_, at) => `text ${at}`)
  for (const [at, text] of texts.entries()) {
    memory.keep(text, at)
    assert.deepEqual([memory.of(text), memory.of(text)], [at, at])
    if (at % 1000 === 0) memory.keep('often', -1)
  }
  assert.ok(texts.filter(text => memory.of(text) !== undefined).length < 70_000)
  assert.equal(memory.of('often'), -1)
})

test('long texts are not kept, and none where texts do not repeat', () => {
  const memory = createMemory<number>()
  memory.keep('x'.repeat(10_000), 1)
  assert.equal(memory.of('x'.repeat(10_000)), undefined)
  for (let at = 0; at < 200_000; at++) memory.keep(`text ${at}`, at)
  assert.equal(memory.of('text 199999'), undefined)
})
