import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { emptySnapshot } from '../../../test/support/empty-snapshot.ts'
import { createLeases, type LeaseBounds, LeaseRevokedError, readUnder } from './leases.ts'

/** Leases on releases that record their closing. */
function setUp(bounds?: LeaseBounds) {
  const leases = createLeases(bounds)
  const closed: string[] = []
  const add = (dataset: string, number: number) =>
    leases.add(emptySnapshot({ dataset, number }), async () => {
      closed.push(`${dataset} ${number}`)
    })
  return { leases, closed, add }
}

test('a superseded release closes when its last lease ends, and only then', () => {
  const { leases, closed, add } = setUp()
  const first = add('toilets', 1)
  const [one, other] = [first.acquire(), first.acquire()]
  assert.deepEqual(leases.counts('toilets'), { held: 2, open: 1 })
  first.supersede()
  add('toilets', 2)
  assert.deepEqual([closed, leases.counts('toilets')], [[], { held: 2, open: 2 }])
  one.release()
  one.release()
  assert.deepEqual(closed, [], 'a lease ends once, however often it is released')
  other.release()
  assert.deepEqual([closed, leases.counts('toilets')], [['toilets 1'], { held: 0, open: 1 }])
})

test('without leases a superseded release closes at once, the current one never', () => {
  const { closed, add } = setUp()
  const first = add('toilets', 1)
  first.acquire().release()
  assert.deepEqual(closed, [])
  first.supersede()
  first.supersede()
  assert.deepEqual(closed, ['toilets 1'])
})

test('the oldest superseded release of a dataset is revoked where too many are open', () => {
  const { closed, add } = setUp({ perDataset: 2 })
  const held = [1, 2, 3].map(number => {
    const release = add('toilets', number)
    const lease = release.acquire()
    // Read both before and after the revocation.
    if (number === 1) assert.equal(lease.signal.aborted, false)
    release.supersede()
    return lease
  })
  assert.deepEqual(closed, ['toilets 1'])
  assert.deepEqual(
    held.map(({ signal }) => signal.aborted),
    [true, false, false],
  )
  assert.ok(held[0]?.signal.reason instanceof LeaseRevokedError)
  held[0]?.release()
  assert.deepEqual(closed, ['toilets 1'])
})

test('over all datasets too, in the order in which they were superseded', () => {
  const { closed, add } = setUp({ perProcess: 2 })
  const [a, b, c] = [add('a', 1), add('b', 1), add('c', 1)]
  for (const release of [a, b, c]) release.acquire()
  for (const release of [c, a, b]) release.supersede()
  assert.deepEqual(closed, ['c 1'])
})

test('a lease is revoked an hour after its release was superseded', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { closed, add } = setUp()
  const release = add('toilets', 1)
  const lease = release.acquire()
  t.mock.timers.tick(10 * 3_600_000)
  release.supersede()
  t.mock.timers.tick(3_599_999)
  assert.deepEqual([closed, lease.signal.aborted], [[], false])
  t.mock.timers.tick(1)
  assert.deepEqual([closed, lease.signal.aborted], [['toilets 1'], true])
})

test('the end revokes all leases and waits until every release is closed', async () => {
  const leases = createLeases()
  let finish = () => {}
  const closing = new Promise<void>(resolve => {
    finish = resolve
  })
  const release = leases.add(emptySnapshot({ dataset: 'a', number: 1 }), () => closing)
  const lease = release.acquire()
  let ended = false
  const end = leases.end().then(() => {
    ended = true
  })
  assert.ok(lease.signal.aborted)
  await nextTurn()
  assert.equal(ended, false)
  finish()
  await end
})

test('a reading holds its lease until it is done, and fails by the revocation rather than by what follows', async () => {
  const { closed, add } = setUp()
  const release = add('toilets', 1)
  assert.equal(
    readUnder(release.acquire(), ({ release }) => release.number),
    1,
  )
  assert.throws(() => readUnder(release.acquire(), () => assert.fail('at once')), /at once/)
  await assert.rejects(
    async () => readUnder(release.acquire(), () => Promise.reject(new Error('later'))),
    /later/,
  )
  let fail = (_error: Error) => {}
  const pending = new Promise<never>((_, reject) => {
    fail = reject
  })
  const lease = release.acquire()
  const reading = Promise.resolve(readUnder(lease, () => pending))
  release.supersede()
  assert.deepEqual(closed, [], 'what failed or was read has ended; what reads has not')
  const other = setUp({ perDataset: 0 })
  const revoked = other.add('toilets', 2)
  const second = Promise.resolve(readUnder(revoked.acquire(), () => pending))
  revoked.supersede()
  fail(new Error('the file is closed'))
  await assert.rejects(reading, /the file is closed/)
  await assert.rejects(second, LeaseRevokedError)
  assert.deepEqual([closed, other.closed], [['toilets 1'], ['toilets 2']])
})
