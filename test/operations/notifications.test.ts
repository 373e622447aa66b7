import assert from 'node:assert/strict'
import { once } from 'node:events'
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { emptyFolder } from '../support/folder.ts'
import { answersStatus, hangs } from '../support/misbehaving-upstream.ts'
import { pds, startPds } from '../support/pds.ts'
import { until } from '../support/until.ts'
import { startReceiver } from '../support/webhook-receiver.ts'

/* Whole processes that tell a real receiver what needs a person. */

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
const TOILETS = 'name,parish,latitude,longitude\nSteps,St. Helier,49.17,-2.1\n'

async function setUp(t: TestContext) {
  const folder = await emptyFolder(t)
  const receiver = await startReceiver(t)
  const environment = { NOTIFY_URL: receiver.url, NOTIFY_SECRET: SECRET, PORT: '0', ADMIN_PORT: '0' }
  const run = (words: string[], input = '') => pds(folder, words, { input, environment })
  /** Serves until the function has ended, then stops it as an operator would, and resolves to its log. */
  const serving = async (work: () => Promise<unknown>) => {
    const child = startPds(folder, ['serve'], environment)
    let log = ''
    child.stdout.on('data', chunk => {
      log += chunk
    })
    const gone = once(child, 'close')
    try {
      await until(() => log.includes('listening'), 'the service listening')
      await work()
    } finally {
      child.kill('SIGINT')
      await gone
    }
    return log
  }
  return { folder, receiver, run, serving }
}

test('a refused import is told once, signed; a dry run and a published one are not', async t => {
  const { receiver, run } = await setUp(t)
  assert.equal((await run(['import', 'toilets', '-', '--dry-run'], 'nothing')).status, 1)
  assert.equal((await run(['import', 'toilets', '-'], TOILETS)).status, 0)
  assert.equal(receiver.received.length, 0)
  const { status, stderr } = await run(['import', 'toilets', '-'], 'nothing')
  assert.deepEqual([status, stderr], [1, ''])
  const [{ headers, body } = assert.fail(), ...more] = receiver.received
  assert.equal(more.length, 0)
  const { type, data } = new Webhook(SECRET).verify(body, headers as Record<string, string>) as {
    type: string
    data: Record<string, string>
  }
  assert.deepEqual([type, data.dataset, data.source], ['import.refused', 'toilets', '-'])
  assert.match(data.reason ?? '', /no column for name, parish/)
  const history = await run(['import', 'live-spaces', '-'], 'nothing')
  assert.equal(history.status, 1)
  assert.equal(receiver.messages().at(-1)?.data.dataset, 'live-spaces')
})

test('an import says in one line that the receiver could not be told, and ends with its own status', async t => {
  const { receiver, run } = await setUp(t)
  receiver.behaviours = [answersStatus(410)]
  const refused = await run(['import', 'toilets', '-'], 'nothing')
  assert.deepEqual(
    [refused.status, refused.stderr],
    [1, 'NOTIFY_URL could not be told of this: status 410\n'],
  )
  receiver.behaviours = [hangs]
  const hung = await run(['import', 'toilets', '-'], 'nothing')
  assert.deepEqual(
    [hung.status, hung.stderr],
    [1, 'NOTIFY_URL could not be told of this: no response within 5 s\n'],
  )
})

test('a damaged release is told, and again with the same id after a restart; a receiver that hangs delays no stop', async t => {
  const { folder, receiver, run, serving } = await setUp(t)
  await run(['import', 'toilets', '-'], TOILETS)
  await run(['import', 'toilets', '-'], `${TOILETS}Lane,St. Ouen,49.2,-2.2\n`)
  await truncate(join(folder, 'data/releases/toilets/2.sqlite'), 100)
  const isTold = (times: number) => until(() => receiver.received.length === times, `${times} messages`)
  const log = await serving(() => isTold(1))
  assert.doesNotMatch(log, /s3cret|whsec/)
  receiver.behaviours = [hangs]
  await serving(() => isTold(2))
  const [first, second] = receiver.messages()
  const { type, data } = first ?? assert.fail()
  assert.deepEqual([type, data.dataset, data.release, data.serving], ['release.damaged', 'toilets', 2, 1])
  assert.deepEqual(second?.data, data)
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
})
