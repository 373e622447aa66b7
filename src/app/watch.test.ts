import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryStore } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'
import type { Notification } from '../notifications/notification.ts'
import { HEALTHY } from '../parking/feed/feed.ts'
import { createWatch, type WatchOptions } from './watch.ts'

const RELEASE = { number: 2, hash: 'y' }
const SOUND = { serving: null, damaged: null, unreachable: null, since: null }

test('a watch tells of the feed, of each damaged release and of the disk, each once', async t => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const told: Notification[] = []
  const disk = { folder: '/data', freeBytes: 10, totalBytes: 1000 }
  let looks = 0
  const watch = createWatch({
    store: {
      async disk() {
        looks++
        return disk
      },
    },
    datasets: [{ name: 'toilets' }, { name: 'recycling' }],
    snapshots: {
      health: name => (name === 'toilets' ? { ...SOUND, damaged: RELEASE } : SOUND),
    } as WatchOptions['snapshots'],
    parking: { health: () => ({ ...HEALTHY, failingSince: '2026-01-01T00:00:00.000Z', lastError: 'late' }) },
    notify: notification => void told.push(notification),
    now: () => new Date('2026-01-01T00:15:00.000Z'),
  })
  watch.start()
  await until(() => told.length === 3)
  for (const count of [2, 3]) {
    t.mock.timers.tick(60_000)
    await until(() => looks === count && watch.disk() === disk, 'another look')
  }
  assert.deepEqual(
    told.map(({ type }) => type),
    ['feed.unavailable', 'release.damaged', 'disk.nearly-full'],
  )
  watch.stop()
  t.mock.timers.tick(60_000)
  assert.equal(looks, 3)
})

test('a disk that does not answer delays nothing, and one that cannot be read has no figures', async t => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let looks = 0
  const quiet = {
    datasets: [],
    snapshots: { health: () => SOUND },
    parking: { health: () => HEALTHY },
    notify: () => assert.fail('nothing is to be told'),
  }
  const hung = createWatch({ ...quiet, store: { disk: () => new Promise(() => looks++) } })
  hung.start()
  t.mock.timers.tick(180_000)
  assert.equal(looks, 1)
  hung.stop()
  const failing = createWatch({ ...quiet, store: { disk: () => Promise.reject(new Error('EIO')) } })
  failing.start()
  assert.equal(failing.disk(), undefined)
  failing.stop()
})

test("a store in a folder says what is free on that folder's disk", async t => {
  const store = await temporaryStore(t)
  const { folder, freeBytes, totalBytes } = (await store.disk?.()) ?? assert.fail()
  assert.ok(folder.startsWith('/') && freeBytes > 0 && totalBytes >= freeBytes)
})
