import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyFolder } from '../../test/support/folder.ts'
import { temporaryStore } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'
import type { TellFindings } from '../notifications/incidents.ts'
import type { Notification } from '../notifications/notification.ts'
import { type FeedHealth, HEALTHY } from '../parking/feed/feed.ts'
import { openStore } from '../store/open-store.ts'
import type { SourceState } from '../store/store.ts'
import { createWatch, type WatchOptions } from './watch.ts'

const RELEASE = { number: 2, hash: 'y' }
const REFUSED: SourceState = {
  dataset: 'toilets',
  configuration: 'a',
  outcome: 'refused',
  reason: 'why',
  failures: 1,
  hash: null,
  triedAt: '',
  succeededAt: null,
  changed: null,
  refused: null,
  failingSince: null,
  dueAt: '',
  validators: {},
}
const FAILING = { ...HEALTHY, polling: true, failingSince: '2026-01-01T00:00:00.000Z', lastError: 'late' }
const SOUND = { serving: null, damaged: null, unreachable: null, since: null }

test('a watch finds every minute what is wrong with the feed, sources that are led, releases and the disk', async t => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const found: Notification[] = []
  let isLeading = true
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
    parking: { health: () => FAILING },
    sources: {
      isLeading: () => isLeading,
      status: () => [{ dataset: 'toilets', address: 'https://data.example', state: REFUSED }],
    },
    afterHours: 1,
    tell: async findings => void found.push(...findings.flatMap(({ lasting }) => lasting)),
    now: () => new Date('2026-01-01T00:15:00.000Z'),
  })
  const typesFound = async (look: number) => {
    await until(() => looks === look && watch.disk() === disk && found.length > 2, 'a look')
    return found
      .splice(0)
      .map(({ type }) => type)
      .sort()
  }
  watch.start()
  const others = ['disk.nearly-full', 'feed.unavailable', 'release.damaged']
  assert.deepEqual(await typesFound(1), [...others, 'import.refused'].sort())
  isLeading = false
  t.mock.timers.tick(60_000)
  assert.deepEqual(await typesFound(2), others)
  watch.look()
  assert.deepEqual(await typesFound(3), others)
  watch.stop()
  t.mock.timers.tick(60_000)
  assert.equal(looks, 3)
})

test('of the processes on one folder that poll the feed one speaks of it, until it ends', async t => {
  const address = `sqlite:${await emptyFolder(t)}`
  const told: string[] = []
  const start = async (name: string, feed: FeedHealth = FAILING) => {
    const { leases, close } = await openStore(address)
    const watch = createWatch({
      store: leases === undefined ? {} : { leases },
      datasets: [],
      snapshots: { health: () => SOUND },
      afterHours: 1,
      parking: { health: () => feed },
      async tell(findings) {
        for (const { type } of findings.flatMap(({ lasting }) => lasting)) told.push(`${name}: ${type}`)
      },
    })
    return { look: watch.look, close }
  }
  const withoutFeed = await start('without', HEALTHY)
  withoutFeed.look()
  const [one, other] = [await start('one'), await start('other')]
  for (const times of [1, 2]) {
    one.look()
    other.look()
    await until(() => told.length === times, 'the one')
  }
  await one.close()
  other.look()
  await until(() => told.length === 3, 'the other')
  await other.close()
  await withoutFeed.close()
  assert.deepEqual(told, ['one: feed.unavailable', 'one: feed.unavailable', 'other: feed.unavailable'])
})

test('a disk that does not answer delays nothing, and one that cannot be read has no figures', async t => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let looks = 0
  const tell: TellFindings = async findings =>
    assert.deepEqual(
      findings.flatMap(({ lasting }) => lasting),
      [],
    )
  const quiet = {
    datasets: [],
    snapshots: { health: () => SOUND },
    parking: { health: () => HEALTHY },
    afterHours: 1,
    tell,
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
