import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptySnapshot } from '../../../test/support/empty-snapshot.ts'
import type { Release } from '../../store/store.ts'
import { createLeases } from './leases.ts'
import { reopenSuperseded } from './superseded-releases.ts'

const HOUR = 3_600_000
const at = (ms: number) => new Date(ms).toISOString()

const release = (number: number, publishedAt: number, currentSince?: number): Release => ({
  ...{ dataset: 'toilets', number, hash: `hash${number}`, rows: 0, source: 'test', synthetic: false },
  ...{ publishedAt: at(publishedAt), changes: { added: 0, changed: 0, removed: 0 } },
  currentSince: currentSince === undefined ? null : at(currentSince),
  bytes: 1000,
})

function reopened(listed: readonly Release[], { maxAgeMs = HOUR, memory = 4000 } = {}) {
  let now = 0
  const seen = { opened: 0 }
  const leases = createLeases({ maxAgeMs })
  const superseded = reopenSuperseded({
    dataset: { name: 'toilets', layout: { kind: 'documents' } },
    store: { releases: { list: async () => [...listed] } },
    leases,
    now: () => new Date(now),
    async load(release) {
      seen.opened++
      return emptySnapshot(release)
    },
    memory,
  })
  return { ...superseded, seen, leases, be: (ms: number) => (now = ms) }
}

test('a release is reopened within the hour after the next one was published, once for all readers', async () => {
  const { acquire, be, seen, leases } = reopened([
    release(3, 5 * HOUR, 5 * HOUR),
    release(2, HOUR),
    release(1, 0),
  ])
  be(6 * HOUR)
  const [one, other] = await Promise.all([acquire(2, 'hash2'), acquire(2, 'hash')])
  assert.equal(one?.snapshot.release.number, 2)
  assert.equal(seen.opened, 1)
  one?.release()
  other?.release()
  assert.ok(await acquire(2, 'hash2'))
  assert.equal(seen.opened, 1)
  assert.equal(await acquire(1, 'hash1'), undefined)
  assert.equal(await acquire(2, 'other'), undefined)
  assert.equal(await acquire(9, 'hash9'), undefined)
  be(6 * HOUR + 1)
  assert.equal(await acquire(2, 'hash2'), undefined)
  leases.end()
  assert.equal(leases.counts('toilets').open, 0)
})

test('a release that was rolled back was superseded when the current one became current', async () => {
  const { acquire, be } = reopened([release(2, HOUR), release(1, 0, 9 * HOUR)])
  be(10 * HOUR)
  assert.ok(await acquire(2, 'hash2'))
  be(10 * HOUR + 1)
  assert.equal(await acquire(2, 'hash2'), undefined)
})

test('a release whose leases were revoked is opened again', async () => {
  const { acquire, be, seen, leases } = reopened([release(2, HOUR, HOUR), release(1, 0)])
  be(HOUR)
  const lease = await acquire(1, 'hash1')
  const signal = lease?.signal
  leases.end()
  assert.ok(signal?.aborted)
  assert.ok(await acquire(1, 'hash1'))
  assert.equal(seen.opened, 2)
})

test('one superseded release is open at a time: a reader of another ends the leases on it', async () => {
  const { acquire, be, seen, leases } = reopened([
    release(3, 2 * HOUR, 2 * HOUR),
    release(2, 2 * HOUR),
    release(1, 0),
  ])
  be(2 * HOUR)
  const one = await acquire(1, 'hash1')
  assert.equal(one?.signal.aborted, false)
  const other = await acquire(2, 'hash2')
  assert.deepEqual([one?.signal.aborted, other?.signal.aborted], [true, false])
  assert.deepEqual([seen.opened, leases.counts('toilets').open], [2, 1])
})

test('a release that takes more than a quarter of the memory is not opened beside the current one', async () => {
  const { acquire, be, seen } = reopened([release(2, HOUR, HOUR), release(1, 0)], { memory: 3999 })
  be(HOUR)
  assert.equal(await acquire(1, 'hash1'), undefined)
  assert.equal(seen.opened, 0)
})
