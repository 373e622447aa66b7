import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptySnapshot } from '../../../test/support/empty-snapshot.ts'
import { oncePerSnapshot } from './snapshot.ts'

const snapshot = () => emptySnapshot({ number: 1 })

test('makes something once for each snapshot', () => {
  let times = 0
  const made = oncePerSnapshot(() => ({ time: ++times }))
  const [one, other] = [snapshot(), snapshot()]
  assert.equal(made(one), made(one))
  assert.notEqual(made(one), made(other))
  assert.equal(times, 2)
})

test('a failed value is computed again, an undefined one is not', async () => {
  let times = 0
  const flaky = oncePerSnapshot(async () => {
    times++
    if (times === 1) throw new Error('not now')
    return times
  })
  const one = snapshot()
  await assert.rejects(flaky(one), /not now/)
  assert.equal(await flaky(one), 2)
  let asked = 0
  const nothing = oncePerSnapshot(() => {
    asked++
  })
  nothing(one)
  nothing(one)
  assert.equal(asked, 1)
})
