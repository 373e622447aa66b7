import assert from 'node:assert/strict'
import { test } from 'node:test'
import { abortable } from './promises.ts'

const never = new Promise<never>(() => {})

test('a promise resolves and rejects as it would without the signal', async () => {
  const { signal } = new AbortController()
  assert.equal(await abortable(Promise.resolve(1), signal), 1)
  assert.equal(await abortable(Promise.resolve(2), undefined), 2)
  await assert.rejects(abortable(Promise.reject(new Error('wrong')), signal), { message: 'wrong' })
})

test('aborting rejects with its reason at once, also where it was before', async () => {
  const aborting = new AbortController()
  const waiting = abortable(never, aborting.signal)
  aborting.abort(new Error('over'))
  await assert.rejects(waiting, { message: 'over' })
  await assert.rejects(abortable(never, aborting.signal), { message: 'over' })
})
