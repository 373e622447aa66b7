import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Finding, Notification } from '../notification.ts'
import { findOnDisk } from './disk.ts'
import { findInFeed } from './feed.ts'
import { findInRelease } from './release.ts'
import { findInSource, type WatchedState } from './source.ts'

const START = Date.parse('2026-03-01T00:00:00.000Z')
const at = (minutes: number) => new Date(START + minutes * 60_000)
const since = at(0).toISOString()

const source = { dataset: 'toilets', source: 'https://data.example', afterHours: 1 }
const failed = { outcome: 'failed', reason: 'status 500', failingSince: since } as const
const published = { outcome: 'published', reason: null, failingSince: null } as const
const notChanged = { ...published, outcome: 'not changed' } as const
const refused = { outcome: 'refused', reason: 'a', failingSince: since } as const

const find = (state: Omit<WatchedState, 'triedAt'>, minutes = 60, dataset = 'toilets') =>
  findInSource({ ...source, dataset }, { ...state, triedAt: at(minutes).toISOString() })

const only = ({ lasting: [incident] }: Finding): Notification => incident ?? assert.fail('nothing lasts')

test('a source is failing once it has failed for as long as is allowed, until it can be read again', () => {
  assert.deepEqual(find(failed, 59).lasting, [])
  const incident = only(find(failed))
  const data = { dataset: 'toilets', source: 'https://data.example', since, reason: 'status 500' }
  assert.deepEqual(incident, { type: 'source.failing', data })
  assert.deepEqual(
    [failed, refused, notChanged, published].map(state => find(state).isOver(incident)),
    [false, true, true, true],
  )
  assert.equal(find(published, 60, 'recycling').isOver(incident), false)
})

test('a refusal lasts until the source gives what is current', () => {
  const notes = ['rejected: line 3']
  const incident = only(find({ ...refused, refused: { at: since, reason: 'a', notes } }))
  const data = { dataset: 'toilets', source: 'https://data.example', reason: 'a', notes }
  assert.deepEqual(incident, { type: 'import.refused', data })
  assert.deepEqual(
    [failed, refused, notChanged, published].map(state => find(state).isOver(incident)),
    [false, false, true, true],
  )
  assert.equal(find(published, 60, 'recycling').isOver(incident), false)
})

test('a release that somebody should look at is told until the next one, whatever the source does meanwhile', () => {
  const release = (number: number, needsPerson: boolean) => ({
    changed: { at: since, release: number, notes: ['Steps by 300 m'], needsPerson },
  })
  assert.deepEqual(find({ ...published, ...release(2, false) }).lasting, [])
  const states = [published, notChanged, failed].map(state => ({ ...state, ...release(2, true) }))
  const [incident = assert.fail()] = states.map(state => find(state).lasting[0])
  const data = { dataset: 'toilets', source: 'https://data.example', release: 2, notes: ['Steps by 300 m'] }
  assert.deepEqual(incident, { type: 'import.doubtful', data })
  for (const state of states) assert.deepEqual(find(state).lasting[0], incident)
  assert.deepEqual(
    [...states, { ...published, ...release(3, false) }].map(state => find(state).isOver(incident)),
    [false, false, false, true],
  )
})

const away = { failingSince: since, lastError: 'no response', lastGoodAt: at(-1).toISOString() }
/** The health in a process that has just started, before its first poll. */
const unknown = { failingSince: null, lastError: null, lastGoodAt: at(-1).toISOString() }
const back = { ...unknown, lastGoodAt: at(20).toISOString() }

test('the feed is unavailable after a quarter of an hour, until a poll has succeeded', () => {
  assert.deepEqual(findInFeed(away, at(14)).lasting, [])
  const incident = only(findInFeed(away, at(15)))
  assert.deepEqual(incident, { type: 'feed.unavailable', data: { since, reason: 'no response' } })
  const states = [away, unknown, { ...unknown, lastGoodAt: null }, back]
  assert.deepEqual(
    states.map(state => findInFeed(state, at(21)).isOver(incident)),
    [false, false, false, true],
  )
})

test('an instance that follows another one says nothing of the feed', () => {
  const incident = only(findInFeed({ ...away, role: 'leading' }, at(20)))
  const following = { role: 'following' } as const
  assert.deepEqual(findInFeed({ ...away, ...following }, at(20)).lasting, [])
  assert.equal(findInFeed({ ...back, ...following }, at(20)).isOver(incident), false)
})

test('a release is damaged until another one is served in its place', () => {
  const [one, two, three] = [1, 2, 3].map(number => ({ number, hash: `hash of ${number}` }))
  assert.ok(one && two && three)
  const incident = only(findInRelease('toilets', { damaged: two, serving: one }))
  const data = { dataset: 'toilets', release: 2, hash: 'hash of 2', serving: 1 }
  assert.deepEqual(incident, { type: 'release.damaged', data })
  assert.deepEqual(
    [
      { damaged: two, serving: one },
      { damaged: null, serving: null },
      // Another instance still serves it, or this one serves it again because the disk failed only for a moment.
      { damaged: null, serving: two },
      { damaged: null, serving: one },
      { damaged: null, serving: three },
      { damaged: three, serving: one },
    ].map(state => findInRelease('toilets', state).isOver(incident)),
    [false, false, false, true, true, true],
  )
  assert.equal(findInRelease('recycling', { damaged: null, serving: one }).isOver(incident), false)
})

const MB = 1024 ** 2
const GB = 1024 * MB

test('a disk is nearly full below 5 % or 500 MB, whichever is smaller, until a fifth more is free', () => {
  const look = (freeBytes: number, totalBytes: number, folder = '/data') =>
    findOnDisk({ folder, freeBytes, totalBytes }, at(0))
  assert.deepEqual(look(501 * MB, 1000 * GB).lasting, [])
  const incident = only(look(499 * MB, 1000 * GB))
  const data = { folder: '/data', since, freeBytes: 499 * MB, totalBytes: 1000 * GB }
  assert.deepEqual(incident, { type: 'disk.nearly-full', data })
  assert.deepEqual(
    [499, 599, 600].map(free => look(free * MB, 1000 * GB).isOver(incident)),
    [false, false, true],
  )
  assert.equal(look(600 * MB, 1000 * GB, '/other').isOver(incident), false)
  assert.deepEqual(look(51 * MB, 1000 * MB).lasting, [])
  assert.equal(look(49 * MB, 1000 * MB).lasting.length, 1)
})
