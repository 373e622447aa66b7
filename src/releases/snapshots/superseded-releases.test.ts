import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptySnapshot } from '../../../test/support/empty-snapshot.ts'
import type { Release } from '../../store/store.ts'
import { reopenSuperseded } from './snapshots.ts'

const HOUR = 3_600_000
const at = (ms: number) => new Date(ms).toISOString()

const release = (number: number, publishedAt: number, currentSince?: number): Release => ({
  dataset: 'toilets',
  number,
  hash: `hash${number}`,
  rows: 0,
  source: 'test',
  synthetic: false,
  publishedAt: at(publishedAt),
  changes: { added: 0, changed: 0, removed: 0 },
  currentSince: currentSince === undefined ? null : at(currentSince),
  bytes: 1000,
})

function reopened(listed: readonly Release[], { memory = 4000 } = {}) {
  let now = 0
  const seen = { opened: 0 }
  const reopen = reopenSuperseded({
    dataset: { name: 'toilets', layout: { kind: 'documents' } },
    store: { releases: { list: async () => [...listed] } },
    now: () => now,
    async load(release) {
      seen.opened++
      return emptySnapshot(release)
    },
    memory,
  })
  return { reopen, seen, be: (ms: number) => (now = ms) }
}

test('a release is reopened within the hour after the next one was published, once for all readers', async () => {
  const { reopen, be, seen } = reopened([release(3, 5 * HOUR, 5 * HOUR), release(2, HOUR), release(1, 0)])
  be(6 * HOUR)
  const [one, other] = await Promise.all([reopen(2, 'hash2'), reopen(2, 'hash')])
  assert.equal(one?.release.number, 2)
  assert.equal(one, other)
  assert.equal(await reopen(2, 'hash2'), one)
  assert.equal(seen.opened, 1)
  assert.equal(await reopen(1, 'hash1'), undefined)
  assert.equal(await reopen(2, 'other'), undefined)
  assert.equal(await reopen(9, 'hash9'), undefined)
  be(6 * HOUR + 1)
  assert.equal(await reopen(2, 'hash2'), undefined)
})

test('a release that was rolled back was superseded when the current one became current', async () => {
  const { reopen, be } = reopened([release(2, HOUR), release(1, 0, 9 * HOUR)])
  be(10 * HOUR)
  assert.ok(await reopen(2, 'hash2'))
  be(10 * HOUR + 1)
  assert.equal(await reopen(2, 'hash2'), undefined)
})

test('a reopened release is forgotten after an hour', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { reopen, be, seen } = reopened([release(2, HOUR, HOUR), release(1, 0)])
  be(HOUR)
  await reopen(1, 'hash1')
  t.mock.timers.tick(HOUR)
  await reopen(1, 'hash1')
  assert.equal(seen.opened, 2)
})

test('one superseded release is held at a time: a reader of another takes its place', async () => {
  const { reopen, be, seen } = reopened([release(3, 2 * HOUR, 2 * HOUR), release(2, 2 * HOUR), release(1, 0)])
  be(2 * HOUR)
  for (const number of [1, 2, 2, 1]) assert.ok(await reopen(number, `hash${number}`))
  assert.equal(seen.opened, 3)
})

test('a release that takes more than a quarter of the memory is not opened beside the current one', async () => {
  const { reopen, be, seen } = reopened([release(2, HOUR, HOUR), release(1, 0)], { memory: 3999 })
  be(HOUR)
  assert.equal(await reopen(1, 'hash1'), undefined)
  assert.equal(seen.opened, 0)
})
