import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { emptyFolder } from '../../../test/support/folder.ts'
import { answersStatus } from '../../../test/support/misbehaving-upstream.ts'
import { pds } from '../../../test/support/pds.ts'
import { startReceiver } from '../../../test/support/webhook-receiver.ts'

const NOTIFY_SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`

async function setUp(t: TestContext) {
  const receiver = await startReceiver(t)
  const folder = await emptyFolder(t)
  const test = (environment: Record<string, string> = {}) =>
    pds(folder, ['notify', '--test'], { environment: { NOTIFY_URL: receiver.url, ...environment } })
  return { receiver, test, shown: `NOTIFY_URL (http://${new URL(receiver.url).host}/…)` }
}

test('a test notification is sent once, signed, and the answer is one line', async t => {
  const { receiver, test, shown } = await setUp(t)
  const signed = await test({ NOTIFY_SECRET })
  assert.deepEqual(signed, {
    status: 0,
    stderr: '',
    stdout: `${shown} took the test notification, signed: status 204\n`,
  })
  const [{ headers, body } = assert.fail()] = receiver.received
  const { type, data } = new Webhook(NOTIFY_SECRET).verify(body, headers as Record<string, string>) as {
    type: string
    data: object
  }
  assert.deepEqual([type, data], ['notification.test', {}])
  assert.match((await test()).stdout, /, not signed, for NOTIFY_SECRET is not set: status 204$/m)
  assert.equal(receiver.received.length, 2)
})

test('a receiver that refuses it is one line and status 1; none is wrong usage', async t => {
  const { receiver, test, shown } = await setUp(t)
  receiver.behaviours = [answersStatus(410)]
  assert.deepEqual(await test(), {
    status: 1,
    stdout: '',
    stderr: `error: ${shown} did not take the test notification: status 410; check the address, and that this machine may reach it\n`,
  })
  const none = await test({ NOTIFY_URL: '' })
  assert.deepEqual(none, {
    status: 2,
    stdout: '',
    stderr: 'error: NOTIFY_URL is not set: set it to the address of the webhook to be told\n',
  })
})
