import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untilIdle } from './idle.ts'

const SHORT = { windowSeconds: 0.001, patienceSeconds: 10 }

test('a process is waited for while it uses processor time', async () => {
  // Busy for three windows, then at rest.
  const seconds = [0, 1, 1, 2, 2, 3, 3, 3]
  await untilIdle('it', () => seconds.shift() ?? Number.NaN, SHORT)
  assert.deepEqual(seconds, [])
})

test('a process that never rests ends the run with its name, and an unknown time is not waited for', async () => {
  let used = 0
  const impatient = { ...SHORT, patienceSeconds: 0.01 }
  await assert.rejects(
    untilIdle('it', () => used++, impatient),
    /^Error: it still uses \d+ % of a core after 0\.01 s/,
  )
  await untilIdle('it', () => Number.NaN, SHORT)
})
