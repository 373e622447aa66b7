import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptySnapshot } from '../../../test/support/empty-snapshot.ts'
import { createLeases, type LeaseBounds, LeaseRevokedError, readUnder } from './leases.ts'

/** Leases on releases, and how many releases of datasets have been forgotten. */
function setUp(bounds?: LeaseBounds) {
  const leases = createLeases(bounds)
  const added: string[] = []
  const add = (dataset: string, number: number) => {
    added.push(dataset)
    return leases.add(emptySnapshot({ dataset, number }))
  }
  const closed = (dataset = 'toilets') =>
    added.filter(one => one === dataset).length - leases.counts(dataset).open
  return { leases, closed, add }
}

test('a superseded release closes when its last lease ends, and only then', () => {
  const { leases, closed, add } = setUp()
  const first = add('toilets', 1)
  const [one, other] = [first.acquire(), first.acquire()]
  assert.deepEqual(leases.counts('toilets'), { held: 2, open: 1 })
  first.supersede()
  add('toilets', 2)
  assert.deepEqual([closed(), leases.counts('toilets')], [0, { held: 2, open: 2 }])
  one.release()
  one.release()
  assert.equal(closed(), 0, 'a lease ends once, however often it is released')
  other.release()
  assert.deepEqual([closed(), leases.counts('toilets')], [1, { held: 0, open: 1 }])
})

test('without leases a superseded release closes at once, the current one never', () => {
  const { closed, add } = setUp()
  const first = add('toilets', 1)
  first.acquire().release()
  assert.equal(closed(), 0)
  first.supersede()
  first.supersede()
  assert.equal(closed(), 1)
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
  assert.equal(closed(), 1)
  assert.deepEqual(
    held.map(({ signal }) => signal.aborted),
    [true, false, false],
  )
  assert.ok(held[0]?.signal.reason instanceof LeaseRevokedError)
  held[0]?.release()
  assert.equal(closed(), 1)
})

test('over all datasets too, in the order in which they were superseded', () => {
  const { closed, add } = setUp({ perProcess: 2 })
  const [a, b, c] = [add('a', 1), add('b', 1), add('c', 1)]
  for (const release of [a, b, c]) release.acquire()
  for (const release of [c, a, b]) release.supersede()
  assert.deepEqual(['a', 'b', 'c'].map(closed), [0, 0, 1])
})

test('a lease is revoked an hour after its release was superseded', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { closed, add } = setUp()
  const release = add('toilets', 1)
  const lease = release.acquire()
  t.mock.timers.tick(10 * 3_600_000)
  release.supersede()
  t.mock.timers.tick(3_599_999)
  assert.deepEqual([closed(), lease.signal.aborted], [0, false])
  t.mock.timers.tick(1)
  assert.deepEqual([closed(), lease.signal.aborted], [1, true])
})

test('the end revokes all leases and forgets every release', () => {
  const { leases, closed, add } = setUp()
  const lease = add('toilets', 1).acquire()
  leases.end()
  assert.ok(lease.signal.aborted)
  assert.equal(closed(), 1)
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
  assert.equal(closed(), 0, 'what failed or was read has ended; what reads has not')
  const other = setUp({ perDataset: 0 })
  const revoked = other.add('toilets', 2)
  const second = Promise.resolve(readUnder(revoked.acquire(), () => pending))
  revoked.supersede()
  fail(new Error('the file is closed'))
  await assert.rejects(reading, /the file is closed/)
  await assert.rejects(second, LeaseRevokedError)
  assert.deepEqual([closed(), other.closed()], [1, 1])
})
