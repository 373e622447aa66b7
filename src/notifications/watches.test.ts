import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchDisk } from './disk-watch.ts'
import { watchFeed } from './feed-watch.ts'
import { watchRelease } from './release-watch.ts'
import { type WatchedState, watchSource } from './source-watch.ts'

const START = Date.parse('2026-03-01T00:00:00.000Z')
const at = (minutes: number) => new Date(START + minutes * 60_000)
const since = at(0).toISOString()
const types = (told: readonly { type: string }[]) => told.map(({ type }) => type)

/** What is told of a source after each of these outcomes, half an hour apart. */
function toldOf(outcomes: readonly Omit<WatchedState, 'triedAt'>[], afterHours = 1) {
  const watch = watchSource({ dataset: 'toilets', source: 'https://data.example', afterHours })
  return outcomes.map((outcome, index) => watch({ ...outcome, triedAt: at(index * 30).toISOString() }))
}

const failed = { outcome: 'failed', reason: 'status 500', failingSince: since } as const
const published = { outcome: 'published', reason: null, failingSince: null } as const
const notChanged = { ...published, outcome: 'not changed' } as const
const refused = (reason: string) => ({ outcome: 'refused', reason, failingSince: since }) as const

test('a source that fails for longer than allowed is told once, and so is its end', () => {
  const told = toldOf([failed, failed, failed, failed, notChanged, notChanged])
  assert.deepEqual(told.map(types), [[], [], ['source.failing'], [], ['source.recovered'], []])
  const about = { dataset: 'toilets', source: 'https://data.example', since }
  assert.deepEqual(told[2], [{ type: 'source.failing', data: { ...about, reason: 'status 500' } }])
  assert.deepEqual(told[4], [{ type: 'source.recovered', data: about }])
})

test('a source that fails for less than allowed is not told', () => {
  assert.deepEqual(toldOf([failed, failed, published]).flat(), [])
})

test('a source that fails again after its end is told again', () => {
  const later = { ...failed, failingSince: at(60).toISOString() }
  const told = toldOf([failed, failed, failed, published, later])
  assert.deepEqual(types(told.flat()), ['source.failing', 'source.recovered', 'source.failing'])
})

test('a refusal is told once for each reason until something is published', () => {
  const told = toldOf([refused('a'), refused('a'), refused('b'), notChanged, refused('a'), published])
  assert.deepEqual(
    told.map(each => each.map(({ data }) => 'reason' in data && data.reason)),
    [['a'], [], ['b'], [], [], []],
  )
  assert.deepEqual(types(toldOf([refused('a'), published, refused('a')]).flat()), [
    'import.refused',
    'import.refused',
  ])
})

test('a source that can be read again, but is refused, has recovered', () => {
  const told = toldOf([failed, failed, failed, refused('a')])
  assert.deepEqual(types(told.flat()), ['source.failing', 'source.recovered', 'import.refused'])
})

const away = { failingSince: since, lastError: 'no response' }
const back = { failingSince: null, lastError: null }

test('the feed is told to be unavailable once after a quarter of an hour, and once to be back', () => {
  const watch = watchFeed()
  const told = [14, 15, 16].map(minutes => watch(away, at(minutes)))
  assert.deepEqual(told, [[], [{ type: 'feed.unavailable', data: { since, reason: 'no response' } }], []])
  assert.deepEqual(watch(back, at(17)), [{ type: 'feed.recovered', data: { since } }])
  assert.deepEqual(watch(back, at(18)), [])
})

test('a feed that is away for a short time is not told', () => {
  const watch = watchFeed()
  assert.deepEqual([...watch(away, at(14)), ...watch(back, at(15)), ...watch(back, at(40))], [])
})

test('an instance that follows tells nothing, and goes on where the other one stopped', () => {
  const watch = watchFeed()
  assert.deepEqual(watch({ ...away, role: 'following' }, at(20)), [])
  assert.deepEqual(types(watch({ ...away, role: 'leading' }, at(21))), ['feed.unavailable'])
  const follower = watchFeed()
  follower({ ...away, role: 'following' }, at(20))
  assert.deepEqual(types(follower({ ...back, role: 'leading' }, at(21))), ['feed.recovered'])
  follower({ ...away, role: 'following' }, at(22))
  assert.deepEqual(follower({ ...back, role: 'following' }, at(23)), [])
})

test('a damaged release is told once, and again where another is damaged or it is damaged again', () => {
  const watch = watchRelease('toilets')
  const older = { number: 1, hash: 'x' }
  const second = { damaged: { number: 2, hash: 'y' }, serving: older }
  assert.deepEqual(watch({ damaged: null, serving: older }), [])
  assert.deepEqual(watch(second), [
    { type: 'release.damaged', data: { dataset: 'toilets', release: 2, hash: 'y', serving: 1 } },
  ])
  assert.deepEqual(watch(second), [])
  const [third] = watch({ damaged: { number: 3, hash: 'z' }, serving: null })
  assert.deepEqual(third?.data, { dataset: 'toilets', release: 3, hash: 'z', serving: null })
  assert.deepEqual(watch({ damaged: null, serving: older }), [])
  assert.equal(watch(second).length, 1)
})

const MB = 1024 ** 2
const GB = 1024 * MB

test('a disk is nearly full below 5 % or 500 MB, whichever is smaller, and told once until there is room', () => {
  const watch = watchDisk()
  const look = (freeBytes: number, totalBytes: number) =>
    watch({ folder: '/data', freeBytes, totalBytes }, at(0))
  assert.deepEqual(look(501 * MB, 1000 * GB), [])
  assert.deepEqual(look(499 * MB, 1000 * GB), [
    {
      type: 'disk.nearly-full',
      data: { folder: '/data', since, freeBytes: 499 * MB, totalBytes: 1000 * GB },
    },
  ])
  assert.deepEqual([...look(10, 1000 * GB), ...look(510 * MB, 1000 * GB), ...look(490 * MB, 1000 * GB)], [])
  assert.deepEqual(look(600 * MB, 1000 * GB), [])
  assert.equal(look(490 * MB, 1000 * GB).length, 1)
  const small = watchDisk()
  assert.deepEqual(small({ folder: '/data', freeBytes: 51 * MB, totalBytes: 1000 * MB }, at(0)), [])
  assert.equal(small({ folder: '/data', freeBytes: 49 * MB, totalBytes: 1000 * MB }, at(0)).length, 1)
})
