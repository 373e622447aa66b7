import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trackSpell } from './http-log.ts'

test('faults that follow each other are one spell, reported when it begins and when it has ended', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const reported: string[] = []
  const note = trackSpell({
    onBegin: () => reported.push('begun'),
    onEnd: faults => reported.push(`ended after ${faults}`),
  })
  for (let fault = 0; fault < 5; fault++) note()
  assert.deepEqual(reported, ['begun'])
  t.mock.timers.tick(60_000)
  assert.deepEqual(reported, ['begun', 'ended after 5'])
  note()
  t.mock.timers.tick(60_000)
  assert.deepEqual(reported.slice(2), ['begun', 'ended after 1'])
})
