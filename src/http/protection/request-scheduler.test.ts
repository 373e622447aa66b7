import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createRequestScheduler } from './request-scheduler.ts'

/** A scheduler for requests that take a millisecond each, and the clients whose requests were started, in turn. */
function schedule(t: TestContext) {
  let time = 0
  t.mock.method(performance, 'now', () => time)
  const clients = new WeakMap<IncomingMessage, string>()
  const scheduler = createRequestScheduler(message => clients.get(message) ?? '')
  const started: string[] = []
  const ask = (client: string, isLater = false) => {
    const message = new IncomingMessage(new Socket())
    clients.set(message, client)
    const begin = () => {
      time++
      started.push(client)
    }
    if (!isLater && scheduler.hasTime()) begin()
    else scheduler.startLater(message, begin)
  }
  return { ask, started, scheduler }
}

test('requests are started as they come, four milliseconds of them in a turn, the rest in later turns', async t => {
  const { ask, started, scheduler } = schedule(t)
  for (let n = 0; n < 10; n++) ask('a')
  assert.deepEqual([started.length, scheduler.haveWaiting()], [4, true])
  await nextTurn()
  assert.equal(started.length, 8)
  await nextTurn()
  assert.deepEqual([started.length, scheduler.haveWaiting()], [10, false])
  ask('a')
  assert.equal(started.length, 11)
})

test('a client waits for its own requests, not for the hundreds of another', async t => {
  const { ask, started } = schedule(t)
  for (let n = 0; n < 400; n++) ask('many')
  ask('one')
  for (let turn = 0; turn < 3; turn++) await nextTurn()
  assert.ok(started.includes('one'), `${started.length} others were started before`)
})

test('what is to start later never starts in this turn', async t => {
  const { ask, started } = schedule(t)
  ask('a', true)
  assert.deepEqual(started, [])
  await nextTurn()
  assert.deepEqual(started, ['a'])
})
