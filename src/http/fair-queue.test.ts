import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairQueue } from './scheduler.ts'

/** Starts all items, which take 1 ms each, and returns their clients in order. */
function order(charge?: { client: string; ms: number }): string {
  const queue = createFairQueue<string>()
  for (const client of ['a', 'b']) for (let item = 0; item < 12; item++) queue.push(client, client)
  if (charge !== undefined) queue.charge(charge.client, charge.ms)
  const started: string[] = []
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    queue.recordEnd(next.client, 1)
    started.push(next.item)
  }
  return started.join('')
}

test('a client that is charged waits the longer for its next turn, and has all its turns', () => {
  assert.equal(order(), 'aaaabbbbaaaabbbbaaaabbbb')
  assert.equal(order({ client: 'a', ms: 8 }), 'bbbbbbbbaaaabbbbaaaaaaaa')
  // No charge shuts a client out for longer than ten turns.
  assert.equal(order({ client: 'a', ms: 1e6 }), 'bbbbbbbbbbbbaaaaaaaaaaaa')
})

test('a client without queued or running items has nothing to be charged for', () => {
  const queue = createFairQueue<string>({ maxRunning: 1 })
  queue.charge('a', 1e6)
  queue.push('a', 'first')
  queue.push('b', 'second')
  assert.equal(queue.shift()?.item, 'first')
})
