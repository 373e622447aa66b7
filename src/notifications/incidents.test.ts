import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { FakeClock } from '../../test/support/feed-poller-setup.ts'
import { answersStatus, hangs } from '../../test/support/misbehaving-upstream.ts'
import { temporaryStore } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'
import { startReceiver } from '../../test/support/webhook-receiver.ts'
import type { Incidents } from '../store/store.ts'
import { tellIncidents } from './incidents.ts'
import type { Finding, Notification } from './notification.ts'
import { createNotifier, type NotificationOutcome } from './notifier.ts'

const LOG = { info() {}, warn() {}, error() {} }

const failing = (day: number, dataset = 'toilets'): Notification => ({
  type: 'source.failing',
  data: {
    dataset,
    source: 'https://data.example',
    since: `2026-01-0${day}T00:00:00.000Z`,
    reason: 'status 500',
  },
})
const lasts = (incident: Notification): Finding => ({ lasting: [incident], isOver: () => false })
const OVER: Finding = { lasting: [], isOver: ({ type }) => type === 'source.failing' }

/** Instances that share a store and a real receiver. */
async function setUp(t: TestContext) {
  const { incidents } = await temporaryStore(t)
  const receiver = await startReceiver(t)
  const start = (store: Incidents = incidents) => {
    const clock = new FakeClock()
    const outcomes: NotificationOutcome[] = []
    const notifier = createNotifier({
      webhook: { url: receiver.url, secret: undefined },
      log: LOG,
      clock,
      random: () => 0,
      onOutcome: outcome => void outcomes.push(outcome),
    })
    t.after(() => notifier.stop())
    return { tell: tellIncidents(store, notifier), stop: notifier.stop, clock, outcomes }
  }
  const told = () => receiver.messages().map(({ type, data }) => [type, data.since])
  const isStored = (count: number) =>
    until(async () => (await incidents.list()).length === count, `${count} incidents in the store`)
  return { incidents, receiver, start, told, isStored }
}

test('an incident is told once, and so is its end, by several instances and across restarts', async t => {
  const { start, told, isStored, receiver } = await setUp(t)
  const [one, other] = [start(), start()]
  await one.tell([lasts(failing(1))])
  await isStored(1)
  // A restarted process may take another time.
  await other.tell([lasts(failing(2))])
  const restarted = start()
  await restarted.tell([lasts(failing(1))])
  await restarted.tell([OVER])
  await until(() => receiver.received.length === 2, 'the end')
  await isStored(0)
  for (const { tell } of [one, other, restarted]) await tell([OVER])
  for (const { tell } of [other, one, restarted]) {
    await tell([lasts(failing(3))])
    await isStored(1)
  }
  const [first, third] = [failing(1), failing(3)].map(({ data }) => 'since' in data && data.since)
  assert.deepEqual(told(), [
    ['source.failing', first],
    ['source.recovered', first],
    ['source.failing', third],
  ])
})

test('what could not be delivered before the process ended is told by the next one', async t => {
  const { start, receiver, isStored, incidents } = await setUp(t)
  receiver.behaviours = [hangs]
  const one = start()
  await one.tell([lasts(failing(1))])
  await until(() => receiver.received.length === 1, 'the first attempt')
  await one.stop()
  assert.deepEqual(await incidents.list(), [])
  receiver.behaviours = [answersStatus(204)]
  await start().tell([lasts(failing(1))])
  await isStored(1)
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
})

test('of two instances that wait for the receiver one tells', async t => {
  const { start, receiver, isStored } = await setUp(t)
  receiver.behaviours = [answersStatus(503)]
  const instances = [start(), start()]
  for (const { tell } of instances) await tell([lasts(failing(1))])
  for (const { clock } of instances) await until(() => clock.timers.size === 1, 'the pause')
  receiver.behaviours = [answersStatus(204)]
  for (const { clock } of instances) {
    clock.next()
    await isStored(1)
  }
  const [, other] = instances
  await other?.tell([lasts(failing(1, 'recycling'))])
  await isStored(2)
  assert.deepEqual(
    receiver.messages().map(({ data }) => data.dataset),
    ['toilets', 'toilets', 'toilets', 'recycling'],
  )
})

test('what the receiver refuses is not told again while it lasts, nor is its end, but its next time is', async t => {
  const { start, receiver, told, isStored } = await setUp(t)
  receiver.behaviours = [answersStatus(410)]
  const { tell, outcomes } = start()
  await tell([lasts(failing(1))])
  await until(() => outcomes.includes('refused'), 'the refusal')
  receiver.behaviours = [answersStatus(204)]
  await tell([lasts(failing(1))])
  await tell([OVER])
  await tell([lasts(failing(2))])
  await isStored(1)
  assert.deepEqual(
    told().map(([type]) => type),
    ['source.failing', 'source.failing'],
  )
})

test('without a store an incident is told once, and so is its end; with it again it is stored', async t => {
  const { start, receiver, incidents, told, isStored } = await setUp(t)
  let isAway = true
  const away = <T>(call: () => Promise<T>) => (isAway ? Promise.reject(new Error('disk full')) : call())
  const { tell } = start({
    list: () => away(incidents.list),
    save: incident => away(() => incidents.save(incident)),
    remove: key => away(() => incidents.remove(key)),
  })
  const tellUntil = (finding: Finding, count: number) =>
    until(async () => {
      await tell([finding])
      return receiver.received.length === count
    }, `${count} messages`)
  await tellUntil(lasts(failing(1)), 1)
  await tellUntil(OVER, 2)
  await tellUntil(lasts(failing(2)), 3)
  await tell([lasts(failing(2))])
  isAway = false
  await tell([])
  await isStored(1)
  assert.deepEqual(
    told().map(([type]) => type),
    ['source.failing', 'source.recovered', 'source.failing'],
  )
})

test('refusals for several reasons have one end, and the next refusal has its own', async t => {
  const { start, receiver, isStored } = await setUp(t)
  const { tell, clock } = start()
  const refused = (reason: string): Notification => ({
    type: 'import.refused',
    data: { dataset: 'toilets', source: 'https://data.example', reason, notes: [] },
  })
  const over: Finding = { lasting: [], isOver: ({ type }) => type === 'import.refused' }
  const types = () => receiver.messages().map(({ type }) => type)
  for (const count of [1, 2]) {
    for (const [at, reason] of ['a', 'b'].entries()) {
      clock.time++
      await tell([lasts(refused(reason))])
      await isStored(at + 1)
    }
    clock.time++
    for (const _ of [1, 2]) await tell([over])
    await isStored(0)
    await tell([over])
    const once = ['import.refused', 'import.refused', 'import.recovered']
    assert.deepEqual(types(), count === 1 ? once : [...once, ...once])
  }
  assert.deepEqual(receiver.messages().at(-1)?.data, { dataset: 'toilets', source: 'https://data.example' })
})
