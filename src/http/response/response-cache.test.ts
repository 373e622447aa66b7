import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Representation } from './representation.ts'
import { createAnswers } from './response-cache.ts'

const MB = 2 ** 20

/** A representation that holds so many bytes. */
const representation = (bytes = 10): Representation => ({
  tag: 'tag',
  lastModified: new Date(0),
  maxAge: 1,
  staleIfError: 1,
  synthetic: false,
  body: Buffer.alloc(bytes),
})

test('an answer is made once as long as what it depends on is the same', async () => {
  const answers = createAnswers({ maxBytes: MB })
  let version = {}
  let made = 0
  const ask = () =>
    answers.obtain(
      '/a',
      () => version,
      () => {
        made++
        return representation()
      },
    )
  const first = await ask()
  assert.equal(await ask(), first)
  assert.equal(answers.find('/a'), first)
  version = {}
  assert.equal(answers.find('/a'), undefined)
  assert.notEqual(await ask(), first)
  assert.equal(made, 2)
})

test('who asks while an answer is being made gets that one, but not one made of something older', async () => {
  for (const maxBytes of [0, MB]) {
    const answers = createAnswers({ maxBytes })
    let version = 1
    const finish: (() => void)[] = []
    const ask = () =>
      answers.obtain(
        '/a',
        () => version,
        () => new Promise(resolve => finish.push(() => resolve(representation()))),
      )
    const asked = [ask(), ask()]
    version = 2
    asked.push(ask(), ask())
    assert.equal(finish.length, 2)
    for (const end of finish) end()
    const [a, b, c, d] = await Promise.all(asked)
    assert.equal(a, b)
    assert.equal(c, d)
    assert.notEqual(a, c)
    // Nothing stays under way: the next is made anew, or kept.
    const next = ask()
    assert.equal(finish.length, maxBytes === 0 ? 3 : 2)
    finish.at(-1)?.()
    await next
  }
})

test('what fails is not kept', async () => {
  const answers = createAnswers({ maxBytes: MB })
  const ask = (make: () => Promise<Representation>) => answers.obtain('/a', () => 1, make)
  await assert.rejects(async () => ask(async () => Promise.reject(new Error('no'))), /no/)
  assert.throws(
    () =>
      answers.obtain(
        '/a',
        () => 1,
        () => {
          throw new Error('never')
        },
      ),
    /never/,
  )
  assert.equal((await ask(async () => representation(7))).length, 7)
})

test('answers are kept within the bound, and those longest unasked go first', async () => {
  const answers = createAnswers({ maxBytes: MB })
  const ask = (key: string, bytes: number) =>
    answers.obtain(
      key,
      () => 1,
      () => representation(bytes),
    )
  for (let i = 0; i < 100; i++) {
    await ask(`/${i}`, 10_000)
    answers.find('/0')
  }
  const kept = Array.from({ length: 100 }, (_, i) => answers.find(`/${i}`) !== undefined)
  assert.ok(kept[0])
  assert.ok(!kept[1])
  // 24,100 bytes each: body twice, headers and all.
  assert.equal(kept.filter(Boolean).length, 43)
  await ask('/large', MB)
  assert.equal(answers.find('/large'), undefined)
})

test('ever new questions that find nothing do not take more than the bound', async () => {
  const answers = createAnswers({ maxBytes: MB })
  let kept = 0
  for (let i = 0; i < 5000; i++)
    await answers.obtain(
      `/v1/vehicles?make=junk${i}`,
      () => 1,
      () => representation(70),
    )
  for (let i = 0; i < 5000; i++) kept += answers.find(`/v1/vehicles?make=junk${i}`) === undefined ? 0 : 1
  assert.ok(kept > 200 && kept < 256, `${kept} kept`)
})

test('an answer is found under a further key as long as it is good', async () => {
  const answers = createAnswers({ maxBytes: MB })
  let version = 1
  const answer = await answers.obtain(
    '/a?x=1',
    () => version,
    () => representation(),
  )
  answers.alias('/a?x=%31', '/a?x=1')
  answers.alias('/b', '/nothing')
  assert.equal(answers.find('/a?x=%31'), answer)
  assert.equal(answers.find('/b'), undefined)
  version = 2
  assert.equal(answers.find('/a?x=%31'), undefined)
})
