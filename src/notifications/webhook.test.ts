import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import {
  answers,
  answersStatus,
  type Behaviour,
  closedPort,
  drips,
  hangs,
  resets,
  sendsGarbage,
} from '../../test/support/misbehaving-upstream.ts'
import { floods, listenRaw } from '../../test/support/raw-upstream.ts'
import { startReceiver } from '../../test/support/webhook-receiver.ts'
import { sendWebhook } from './webhook.ts'

/* A process of its own: it measures the memory of the process. */

const SECRET = `whsec_${randomBytes(32).toString('base64')}`
const DEADLINE_MS = 1000
const MESSAGE = { id: 'msg_1', body: JSON.stringify({ type: 'feed.recovered', data: { since: 'é' } }) }

async function sendTo(t: TestContext, behaviour: Behaviour, more: { secret?: string; now?: Date } = {}) {
  const receiver = await startReceiver(t)
  receiver.behaviours = [behaviour]
  const { secret, now = new Date() } = more
  const sent = await sendWebhook({ url: receiver.url, secret }, MESSAGE, { now, deadlineMs: DEADLINE_MS })
  const [received = assert.fail('nothing was received')] = receiver.received
  return { sent, ...received }
}

test('the library of Standard Webhooks verifies a signed message, and no other secret does', async t => {
  const { sent, headers, body } = await sendTo(t, answersStatus(204), { secret: SECRET })
  assert.deepEqual(sent, { outcome: 'delivered', status: 204 })
  assert.equal(headers['content-type'], 'application/json')
  const given = headers as Record<string, string>
  assert.deepEqual(new Webhook(SECRET).verify(body, given), JSON.parse(MESSAGE.body))
  const other = new Webhook(`whsec_${randomBytes(24).toString('base64')}`)
  assert.throws(() => other.verify(body, given), /No matching signature/)
})

test('without a secret the message has its id and time, and no signature', async t => {
  const now = new Date('2026-01-02T03:04:05.678Z')
  const { headers, body } = await sendTo(t, answersStatus(200), { now })
  assert.equal(body, MESSAGE.body)
  assert.deepEqual([headers['webhook-id'], headers['webhook-timestamp']], ['msg_1', '1767323045'])
  assert.equal(headers['webhook-signature'], undefined)
})

test('a user and password in the address are sent as Basic authentication', async t => {
  const receiver = await startReceiver(t)
  const url = receiver.url.replace('//', '//me:p%40ss@')
  await sendWebhook({ url, secret: undefined }, MESSAGE, { now: new Date() })
  const expected = `Basic ${Buffer.from('me:p@ss').toString('base64')}`
  assert.equal(receiver.received[0]?.headers.authorization, expected)
})

for (const status of [408, 425, 429, 500, 503])
  test(`status ${status} is a failure that may pass`, async t => {
    const { sent } = await sendTo(t, answersStatus(status, { 'retry-after': '7' }))
    assert.deepEqual(sent, { outcome: 'failed', reason: `status ${status}`, retryAfterMs: 7000 })
  })

for (const status of [400, 401, 404, 410])
  test(`status ${status} refuses the message`, async t => {
    const { sent } = await sendTo(t, answersStatus(status))
    assert.deepEqual(sent, { outcome: 'refused', reason: `status ${status}` })
  })

test('a redirect is not followed, and its address is named without what may be secret', async t => {
  const { sent } = await sendTo(t, answersStatus(307, { location: 'https://else.example/s3cret' }))
  assert.deepEqual(sent, {
    outcome: 'refused',
    reason: 'status 307, a redirect to https://else.example/…, which is not followed',
  })
})

const FAULTS: readonly [string, Behaviour, RegExp][] = [
  ['hangs', hangs, /^no response within 1 s$/],
  ['resets the connection', resets, /^the connection failed \(/],
  ['sends what is not HTTP', sendsGarbage, /^the connection failed \(HTTPParserError\)$/],
]

for (const [fault, behaviour, reason] of FAULTS)
  test(`a receiver that ${fault} has failed`, async t => {
    const { sent } = await sendTo(t, behaviour)
    assert.equal(sent.outcome, 'failed')
    assert.match('reason' in sent ? sent.reason : '', reason)
  })

test('nothing that listens is a failure', async () => {
  const url = await closedPort()
  const sent = await sendWebhook({ url, secret: undefined }, MESSAGE, { now: new Date() })
  const reason = 'the connection failed (ECONNREFUSED)'
  assert.deepEqual(sent, { outcome: 'failed', reason, retryAfterMs: undefined })
})

test('the status decides where the body has no end, and little of it is read', async t => {
  assert.deepEqual((await sendTo(t, drips)).sent, { outcome: 'delivered', status: 200 })
  assert.deepEqual((await sendTo(t, answers('x'.repeat(5_000_000)))).sent, {
    outcome: 'delivered',
    status: 200,
  })
  const block = 'y'.repeat(64 * 1024)
  const upstream = await listenRaw(t, floods('HTTP/1.1 200 OK\r\n\r\n', block))
  const before = process.memoryUsage().rss
  const sent = await sendWebhook({ url: upstream, secret: undefined }, MESSAGE, { now: new Date() })
  assert.deepEqual(sent, { outcome: 'delivered', status: 200 })
  assert.ok(process.memoryUsage().rss - before < 50_000_000)
})
