import assert from 'node:assert/strict'
import { once } from 'node:events'
import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { emptyFolder } from '../support/folder.ts'
import {
  answers,
  answersStatus,
  type Behaviour,
  entry,
  hangs,
  payload,
  startUpstream,
} from '../support/misbehaving-upstream.ts'
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
  const serving = async (
    work: (log: () => string) => Promise<unknown>,
    { more = {}, flags = [] }: { more?: Record<string, string>; flags?: string[] } = {},
  ) => {
    const child = startPds(folder, ['serve'], { ...environment, ...more }, { flags })
    let log = ''
    child.stdout.on('data', chunk => {
      log += chunk
    })
    const gone = once(child, 'close')
    try {
      await until(() => log.includes('listening'), 'the service listening')
      await work(() => log)
    } finally {
      child.kill('SIGINT')
      await gone
    }
    return log
  }
  const inStore = async <T>(work: (store: Store) => Promise<T>) => {
    const store = await openStore(`sqlite:${join(folder, 'data')}`)
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  }
  /** Waits until so many incidents that have been told are not over. */
  const areOpen = (count: number) =>
    until(
      () => inStore(async ({ incidents }) => (await incidents.list()).length === count),
      `${count} incidents`,
    )
  return { folder, receiver, run, serving, inStore, areOpen }
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

async function upstream(t: TestContext, behaviour: Behaviour) {
  const started = await startUpstream(behaviour)
  t.after(() => started.close())
  return started
}

test('a damaged release is told once across restarts, unless it could not be; a receiver that hangs delays no stop', async t => {
  const { folder, receiver, run, serving, areOpen } = await setUp(t)
  const damage = async (dataset: string, columns: string) => {
    const content = `${columns},parish,latitude,longitude\nSteps,St. Helier,49.17,-2.1\n`
    await run(['import', dataset, '-'], content)
    await run(['import', dataset, '-'], `${content}Lane,St. Ouen,49.2,-2.2\n`)
    await truncate(join(folder, `data/releases/${dataset}/2.ndjson.gz`), 100)
  }
  const isTold = (times: number) => until(() => receiver.received.length === times, `${times} messages`)
  await damage('toilets', 'name')
  const log = await serving(async () => {
    await isTold(1)
    await areOpen(1)
  })
  assert.doesNotMatch(log, /s3cret|whsec/)
  await damage('recycling', 'location')
  receiver.behaviours = [hangs]
  await serving(() => isTold(2))
  receiver.behaviours = [answersStatus(204)]
  await serving(async () => {
    await isTold(3)
    await areOpen(2)
  })
  const about = receiver.messages().map(({ type, data }) => [type, data.dataset, data.release, data.serving])
  const [toilets, recycling] = ['toilets', 'recycling'].map(name => ['release.damaged', name, 2, 1])
  assert.deepEqual(about, [toilets, recycling, recycling])
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 2)
  await run(['rollback', 'toilets'])
  await serving(() => areOpen(1))
  assert.equal(receiver.received.length, 3)
})

test('a source that fails for long is told once, and so is its end, by two processes that are restarted', async t => {
  const { folder, receiver, serving, inStore, areOpen } = await setUp(t)
  const source = await upstream(t, answersStatus(500))
  const sources = [{ dataset: 'toilets', url: source.url, every: '6h', allowPrivate: true }]
  await writeFile(join(folder, 'sources.json'), JSON.stringify({ sources }))
  const settings = { more: { SOURCES: 'sources.json', NOTIFY_AFTER_H: '1' } }
  const triedTimes = (times: number) =>
    inStore(async store => {
      await until(() => source.requests.length === times, `${times} attempts`)
      await until(async () => ((await store.sources.list())[0]?.dueAt ?? DUE) !== DUE, 'its state')
    })
  /** Lets two hours pass, after which the source is due. */
  const wait = () =>
    inStore(async store => {
      const [state] = await store.sources.list()
      assert.ok(state)
      const failingSince = new Date(Date.now() - 7_200_000).toISOString()
      await store.sources.save({ ...state, failingSince: state.failingSince && failingSince, dueAt: DUE })
    })
  await serving(() => triedTimes(1), settings)
  await wait()
  await serving(
    () =>
      serving(async () => {
        await triedTimes(2)
        await areOpen(1)
      }, settings),
    settings,
  )
  await wait()
  await serving(() => triedTimes(3), settings)
  source.behaviour = answers(`[${JSON.stringify({ name: 'Steps', parish: 'St. Helier' })}]`)
  await wait()
  await serving(async () => {
    await triedTimes(4)
    await areOpen(0)
  }, settings)
  await serving(async () => {}, settings)
  const [failing, recovered, ...more] = receiver.messages()
  assert.deepEqual([failing?.type, recovered?.type, more], ['source.failing', 'source.recovered', []])
  assert.equal(recovered?.data.since, failing?.data.since)
})

/** A time that has passed. */
const DUE = '2026-01-01T00:00:00.000Z'

/** On this clock a minute lasts a second, and it goes on across restarts. */
const START = Date.now()
const fastNow = () => START + (Date.now() - START) * 60
const FAST_CLOCK = `data:text/javascript,${encodeURIComponent(`
  const { Date: Slow, setInterval: every } = globalThis
  const now = () => ${START} + (Slow.now() - ${START}) * 60
  globalThis.Date = class extends Slow {
    constructor(...given) { given.length > 0 ? super(...given) : super(now()) }
    static now() { return now() }
  }
  globalThis.setInterval = (work, ms, ...given) => every(work, ms / 60, ...given)
`)}`

test('a feed that is away for a quarter of an hour is told once, across a restart, and so is its return', async t => {
  const { receiver, serving, areOpen } = await setUp(t)
  const feed = await upstream(t, answers(payload([entry('GREENST')])))
  const settings = {
    more: { LIVE_FEED_URL: feed.url, LIVE_FEED_INTERVAL_S: '1' },
    flags: ['--import', FAST_CLOCK],
  }
  await serving(async log => {
    await until(() => feed.requests.length > 0, 'a poll')
    feed.behaviour = answersStatus(503)
    await until(() => log().includes('feed-broken'), 'the outage')
    assert.equal(receiver.received.length, 0)
    await until(() => receiver.received.length === 1, 'the message', 60_000)
    await areOpen(1)
  }, settings)
  await serving(async log => {
    await until(() => log().includes('feed-broken'), 'the outage')
    const over = fastNow() + 17 * 60_000
    await until(() => fastNow() > over, 'a quarter of an hour', 60_000)
    feed.behaviour = answers(payload([entry('GREENST', 99)]))
    await areOpen(0)
  }, settings)
  const [away, back, ...more] = receiver.messages()
  assert.deepEqual([away?.type, back?.type, more], ['feed.unavailable', 'feed.recovered', []])
  assert.equal(back?.data.since, away?.data.since)
  assert.ok(Date.parse(away?.timestamp ?? '') - Date.parse(String(away?.data.since)) >= 15 * 60_000)
})
