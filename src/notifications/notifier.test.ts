import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { FakeClock } from '../../test/support/feed-poller-setup.ts'
import { answersStatus, hangs, resets } from '../../test/support/misbehaving-upstream.ts'
import { until } from '../../test/support/until.ts'
import { startReceiver } from '../../test/support/webhook-receiver.ts'
import type { Notification } from './notification.ts'
import { createNotifier, MOST_PENDING, type NotificationOutcome } from './notifier.ts'

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const MINUTE_MS = 60_000

const damaged = (release: number): Notification => ({
  type: 'release.damaged',
  data: { dataset: 'toilets', release, hash: `hash of ${release}`, serving: null },
})

/** A notifier with its own clock and a real receiver. */
async function setUp(t: TestContext, more: { deadlineMs?: number } = {}) {
  const receiver = await startReceiver(t)
  const clock = new FakeClock()
  clock.time = Date.now()
  const outcomes: NotificationOutcome[] = []
  const lines: Record<string, unknown>[] = []
  const logAs = (level: string) => (fields: object) => void lines.push({ level, ...fields })
  const start = () => {
    const notifier = createNotifier({
      webhook: { url: receiver.url, secret: SECRET },
      log: { info: logAs('info'), warn: logAs('warn'), error: logAs('error') },
      onOutcome: outcome => void outcomes.push(outcome),
      clock,
      random: () => 0,
      ...more,
    })
    t.after(() => notifier.stop())
    return notifier
  }
  /** Moves the clock to the next attempt, and returns how far. */
  const nextAttempt = async () => {
    await until(() => clock.timers.size > 0, 'a planned attempt')
    const before = clock.time
    clock.next()
    return clock.time - before
  }
  const isTold = (outcome: NotificationOutcome, times = 1) =>
    until(() => outcomes.filter(each => each === outcome).length === times, `${times} × ${outcome}`)
  return { receiver, clock, outcomes, lines, notifier: start(), start, nextAttempt, isTold }
}

test('a notification arrives signed, with its type, time and data', async t => {
  const { receiver, clock, notifier, isTold, lines } = await setUp(t)
  notifier.notify(damaged(3))
  await isTold('delivered')
  const [{ headers, body } = assert.fail()] = receiver.received
  const timestamp = clock.now().toISOString()
  assert.deepEqual(new Webhook(SECRET).verify(body, headers as Record<string, string>), {
    ...damaged(3),
    timestamp,
  })
  assert.deepEqual(
    lines.map(({ event, type }) => [event, type]),
    [['notification-delivered', 'release.damaged']],
  )
})

test('a failed one is sent again after growing pauses, with the same id, body and a new signature', async t => {
  const { receiver, notifier, nextAttempt, isTold, outcomes, lines } = await setUp(t)
  receiver.behaviours = [resets, answersStatus(500), answersStatus(503), answersStatus(200)]
  notifier.notify(damaged(1))
  assert.deepEqual([await nextAttempt(), await nextAttempt(), await nextAttempt()], [5000, 20_000, 80_000])
  await isTold('delivered')
  assert.deepEqual(outcomes, ['retried', 'retried', 'retried', 'delivered'])
  const { received } = receiver
  assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 1)
  assert.equal(new Set(received.map(({ body }) => body)).size, 1)
  assert.equal(new Set(received.map(({ headers }) => headers['webhook-signature'])).size, 4)
  assert.deepEqual(
    lines.map(({ level, event }) => [level, event]),
    [
      ['warn', 'notification-delayed'],
      ['info', 'notification-delivered'],
    ],
  )
})

test('Retry-After makes a pause longer, but not longer than an hour', async t => {
  const { receiver, notifier, nextAttempt, isTold } = await setUp(t)
  receiver.behaviours = [
    answersStatus(429, { 'retry-after': '90' }),
    answersStatus(503, { 'retry-after': '999999' }),
    answersStatus(200),
  ]
  notifier.notify(damaged(1))
  assert.deepEqual([await nextAttempt(), await nextAttempt()], [90_000, 60 * MINUTE_MS])
  await isTold('delivered')
})

test('410 and other refusals end it, with a line in the log and without the address', async t => {
  const { receiver, notifier, isTold, lines, clock } = await setUp(t)
  receiver.behaviours = [answersStatus(410)]
  notifier.notify(damaged(1))
  await isTold('refused')
  assert.equal(clock.timers.size, 0)
  const [line] = lines
  assert.deepEqual([line?.level, line?.event, line?.reason], ['error', 'notification-lost', 'status 410'])
  assert.doesNotMatch(JSON.stringify(lines), /s3cret/)
  receiver.behaviours = []
  notifier.notify(damaged(1))
  await isTold('delivered')
})

test('one that fails for a day is given up', async t => {
  const { receiver, notifier, clock, outcomes } = await setUp(t)
  receiver.behaviours = [answersStatus(500)]
  const startedAt = clock.time
  notifier.notify(damaged(1))
  const isOver = () => outcomes.includes('expired')
  while (!isOver()) {
    clock.next()
    await until(() => clock.timers.size > 0 || isOver(), 'the next attempt planned, or none')
  }
  const hours = (clock.time - startedAt) / 3_600_000
  assert.ok(hours >= 24 && hours < 25, `${hours} hours`)
})

test('a receiver that hangs for one delays others by the deadline at most', async t => {
  const { receiver, notifier, isTold } = await setUp(t, { deadlineMs: 300 })
  receiver.behaviours = [hangs, answersStatus(200)]
  notifier.notify(damaged(1))
  notifier.notify(damaged(2))
  await isTold('delivered')
  assert.deepEqual(
    receiver.messages().map(({ data }) => data.release),
    [1, 2],
  )
})

test('an incident that is waiting is not queued twice', async t => {
  const { receiver, notifier, nextAttempt, isTold } = await setUp(t)
  receiver.behaviours = [answersStatus(500), answersStatus(200)]
  notifier.notify(damaged(1))
  notifier.notify(damaged(1))
  await nextAttempt()
  notifier.notify(damaged(2))
  await isTold('delivered', 2)
  assert.equal(receiver.received.length, 3)
})

test('beyond so many the oldest that waits is dropped and counted', async t => {
  const { receiver, notifier, isTold, clock, lines } = await setUp(t)
  receiver.behaviours = [answersStatus(500)]
  notifier.notify(damaged(0))
  await until(() => clock.timers.size > 0, 'a failed attempt')
  for (let release = 1; release <= MOST_PENDING; release++) notifier.notify(damaged(release))
  await isTold('dropped')
  assert.match(String(lines.at(-1)?.reason), /^more than 100 wait$/)
  receiver.behaviours = [answersStatus(200)]
  const arrived = () => new Set(receiver.messages().map(({ data }) => data.release))
  await until(() => {
    // Notifications that failed before the receiver recovered are sent again.
    if (clock.timers.size > 0) clock.next()
    return arrived().size === MOST_PENDING + 1
  }, 'each was tried')
  await isTold('delivered', MOST_PENDING)
})

test('a stop makes one last attempt for each that waits, and names what is lost', async t => {
  const { receiver, notifier, isTold, clock, lines } = await setUp(t)
  receiver.behaviours = [answersStatus(500)]
  notifier.notify(damaged(1))
  notifier.notify(damaged(2))
  await until(() => receiver.received.length === 2 && clock.timers.size > 0, 'two failed attempts')
  receiver.behaviours = [answersStatus(200), answersStatus(503)]
  await notifier.stop()
  await isTold('delivered')
  await isTold('dropped')
  assert.equal(lines.at(-1)?.reason, 'status 503, and the service stops')
  notifier.notify(damaged(3))
  assert.equal(receiver.received.length, 4)
})

test('a stop waits two seconds for a receiver that hangs, and no longer', async t => {
  const { receiver, notifier, isTold } = await setUp(t)
  receiver.behaviours = [hangs]
  notifier.notify(damaged(1))
  await until(() => receiver.received.length === 1)
  const before = performance.now()
  await notifier.stop()
  await isTold('dropped')
  assert.ok(performance.now() - before < 9000)
})

test('after a restart the same incident has the same id, and another one has another', async t => {
  const { receiver, notifier, start, isTold } = await setUp(t)
  notifier.notify(damaged(1))
  await isTold('delivered')
  await notifier.stop()
  const again = start()
  again.notify(damaged(1))
  await isTold('delivered', 2)
  again.notify(damaged(2))
  await isTold('delivered', 3)
  const [first, second, third] = receiver.received.map(({ headers }) => headers['webhook-id'])
  assert.equal(first, second)
  assert.notEqual(second, third)
})
