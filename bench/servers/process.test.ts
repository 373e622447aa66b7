import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuSeconds } from './process.ts'

test('processor time is counted finer than ticks, and unknown for a process that is not there', t => {
  assert.ok(Number.isNaN(cpuSeconds(-1)))
  const before = cpuSeconds(process.pid)
  if (Number.isNaN(before)) return t.skip('this platform does not tell processor time')
  const { user, system } = process.cpuUsage()
  // Only Node's own figure counts threads that have ended. The last tick may be some milliseconds ago.
  assert.ok(before > 0 && before < (user + system) / 1e6 + 0.1)
})
