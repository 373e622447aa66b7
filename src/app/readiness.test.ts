import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { TOILETS, VEHICLES } from '../../test/support/island.ts'
import { parkingWithFeed } from '../../test/support/parking-service.ts'
import { publish, temporaryStore } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'
import { DATASETS } from '../datasets/index.ts'
import { followStore } from '../releases/snapshots/snapshots.ts'
import { type Store, StoreUnusableError } from '../store/store.ts'
import { type Readiness, readiness, readinessOfAll } from './readiness.ts'

const AWAY = new StoreUnusableError('the database does not answer: check that it runs')

test('a current release that cannot be read is reported, the old one is served, and readiness waits a minute', async t => {
  const real = await temporaryStore(t)
  await publish(real, 'vehicles', VEHICLES)
  let isAway = false
  const store: Store = {
    ...real,
    releases: {
      ...real.releases,
      open: (release, layout) =>
        isAway && release.dataset === 'vehicles' ? Promise.reject(AWAY) : real.releases.open(release, layout),
    },
  }
  const told: { readonly event?: string }[] = []
  const tell = (fields: object) => void told.push(fields)
  const log = { info: tell, warn: tell, error: tell }
  const snapshots = followStore({
    store,
    datasets: DATASETS,
    log,
    pollMs: 5,
  })
  await snapshots.start()
  t.after(() => snapshots.stop())
  const { parking } = parkingWithFeed({
    store: real.readings,
    records: () => undefined,
    synthetic: false,
    log: pino({ level: 'silent' }),
  })
  const look = (laterMs = 0) =>
    readiness({
      datasets: DATASETS,
      snapshots,
      parking,
      stopping: false,
      now: () => new Date(Date.now() + laterMs),
    })
  assert.equal(look().ready, true)

  isAway = true
  await publish(real, 'vehicles', `${VEHICLES}${VEHICLES.trimEnd().split('\n').at(-1)}\n`)
  await publish(real, 'toilets', TOILETS)
  await until(() => look().missing.some(({ what }) => what === 'store'), 'the store being missed')
  await until(() => snapshots.get('toilets') !== undefined, 'the others going on')
  const { detail } = look().missing.find(({ what }) => what === 'vehicles') ?? assert.fail()
  assert.equal(detail, 'release 2 is on no reachable server, release 1 is served')
  assert.equal(snapshots.get('vehicles')?.release.number, 1)
  assert.deepEqual([look().ready, look(59_000).ready, look(61_000).ready], [true, true, false])

  isAway = false
  await until(() => snapshots.get('vehicles')?.release.number === 2, 'the release')
  await until(() => look(61_000).ready, 'being ready')
  assert.deepEqual(
    told.map(({ event }) => event).filter(event => event?.startsWith('store-')),
    ['store-unavailable', 'store-available'],
  )
})

test('workers are ready if all are, miss what any misses, and the feed is told by the one that polls', () => {
  const state = (ready: boolean, role: 'leading' | 'following', ...missing: string[]): Readiness => ({
    ready,
    missing: missing.map(what => ({ what, since: null, detail: '' })),
    live: { ...readinessOfAll([], 0).live, role },
  })
  const summary = ({ ready, missing, live }: Readiness) => [ready, missing.map(({ what }) => what), live.role]
  const following = state(false, 'following', 'toilets', 'vehicles')
  const leading = state(false, 'leading', 'toilets', 'live feed')
  const all = ['toilets', 'vehicles', 'live feed']
  assert.deepEqual(summary(readinessOfAll([following, leading], 2)), [false, all, 'leading'])
  assert.deepEqual(summary(readinessOfAll([state(true, 'following'), leading], 2)), [
    false,
    ['toilets', 'live feed'],
    'leading',
  ])
  assert.deepEqual(summary(readinessOfAll([state(true, 'leading')], 2)), [true, ['workers'], 'leading'])
  assert.deepEqual(summary(readinessOfAll([], 2)), [false, ['workers'], undefined])
})
