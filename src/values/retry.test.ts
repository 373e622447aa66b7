import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createRetry } from './retry.ts'

/** An attempt that fails until the test says otherwise, on the test's clock. */
function setUp(t: TestContext, random = 0) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  t.mock.method(Math, 'random', () => random)
  let nowMs = 0
  t.mock.method(performance, 'now', () => nowMs)
  const closing = new AbortController()
  const state = { attempts: 0, error: new Error('down') as Error | undefined }
  const retry = createRetry({
    async attempt() {
      state.attempts++
      if (state.error) throw state.error
    },
    firstMs: 100,
    longestMs: 800,
    longestAfter: error => ((error as Error).message === 'for long' ? 5000 : 800),
    signal: closing.signal,
  })
  const pass = async (milliseconds: number) => {
    nowMs += milliseconds
    t.mock.timers.tick(milliseconds)
    // The attempt and what follows it are microtasks.
    for (let turn = 0; turn < 5; turn++) await Promise.resolve()
    return state.attempts
  }
  return { retry, state, pass, close: () => closing.abort() }
}

test('delays double up to the longest', async t => {
  const { retry, state, pass } = setUp(t)
  await retry.now()
  for (const delay of [100, 200, 400, 800, 800]) {
    const before = state.attempts
    assert.equal(await pass(delay - 1), before)
    assert.equal(await pass(1), before + 1)
  }
})

test('after success nothing is attempted until asked; failures soon after it go on with the back-off', async t => {
  const { retry, state, pass } = setUp(t)
  await retry.now()
  state.error = undefined
  assert.equal(await pass(100), 2)
  assert.equal(await pass(60_000), 2)
  retry.later()
  assert.equal(await pass(100), 3, 'the delays start anew after a while')
  retry.later()
  assert.equal(await pass(199), 3, 'but not soon after a success')
  assert.equal(await pass(1), 4)
})

test('an error that lasts has longer delays', async t => {
  const { retry, state, pass } = setUp(t)
  state.error = new Error('for long')
  await retry.now()
  for (const delay of [100, 200, 400, 800, 1600]) await pass(delay)
  assert.equal(state.attempts, 6)
  assert.equal(await pass(3200), 7)
  state.error = new Error('down')
  await pass(5000)
  assert.equal(state.attempts, 8)
  assert.equal(await pass(800), 9)
})

test('delays are shortened at random by a fifth at most', async t => {
  const { retry, pass } = setUp(t, 0.999)
  await retry.now()
  assert.equal(await pass(80), 1)
  assert.equal(await pass(1), 2)
})

test('an abort ends all attempts', async t => {
  const { retry, state, pass, close } = setUp(t)
  await retry.now()
  close()
  retry.later()
  assert.equal(await pass(60_000), 1)
  await retry.now()
  assert.equal(await pass(60_000), state.attempts)
})
