import assert from 'node:assert/strict'
import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { emptyFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { TOILETS } from '../support/island.ts'
import { answers, answersConditionally, startUpstream } from '../support/misbehaving-upstream.ts'
import { pds, startPds } from '../support/pds.ts'
import { type Serving, watchServing } from '../support/serving.ts'
import { ENGINES } from '../support/store-engines.ts'
import { until } from '../support/until.ts'

const BODY = JSON.stringify({ results: TOILETS })
/** The interval of the source with its jitter, and time for a busy machine. */
const ONE_TURN_MS = 120_000

/** A folder with a file of sources, and their servers. */
async function setUp(t: TestContext) {
  const folder = await emptyFolder(t)
  const good = await startUpstream(answersConditionally(BODY, '"one"'))
  const bad = await startUpstream(answers('<html>', { 'content-type': 'text/html' }))
  t.after(() => Promise.all([good.close(), bad.close()]))
  const sources = [
    { dataset: 'toilets', url: `${good.url}?key=s3cret`, every: '1m', allowPrivate: true },
    { dataset: 'recycling', url: bad.url, every: '6h', allowPrivate: true },
  ]
  await writeFile(join(folder, 'sources.json'), JSON.stringify({ sources }))
  const serve = async (environment: Record<string, string> = {}): Promise<Serving> => {
    const settings = {
      SOURCES: 'sources.json',
      PORT: '0',
      ADMIN_PORT: String(await freePort()),
      ...environment,
    }
    const child = startPds(folder, ['serve'], settings)
    t.after(() => child.kill('SIGKILL'))
    return watchServing(t, child)
  }
  return { folder, good, bad, serve }
}

const eventOf = (serving: Serving, name: string) => serving.log.find(({ event }) => event === name)

/** They wait for the next turn of a source, a minute each: side by side. */
describe('pds serve with sources', { concurrency: true }, () => {
  test('pds serve follows its sources, publishes, and says what fails', async t => {
    const { folder, serve } = await setUp(t)
    const serving = await serve()
    await until(
      () => eventOf(serving, 'source-published') && eventOf(serving, 'source-failed'),
      'both outcomes',
    )
    await until(async () => (await serving.get('/v1/toilets')).status === 200, 'the release')
    const ready = await serving.admin('/readyz')
    assert.equal(ready.status, 200)
    const missing = JSON.parse(ready.text).missing.find(
      ({ what }: { what: string }) => what === 'source of recycling',
    )
    assert.match(missing.detail, /^failed: the server sent an HTML page, not data/)

    const page = await serving.admin('/sources')
    assert.match(page.text, /<th scope="row">recycling<\/th>.*failed: the server sent an HTML page/)
    const [toilets] = JSON.parse((await serving.admin('/sources.json')).text)
    assert.deepEqual([toilets.state.outcome, toilets.state.changed.release], ['published', 1])
    const metrics = (await serving.admin('/metrics')).text
    assert.match(metrics, /^pds_source_failures_total\{reason="type"\} 1$/m)
    assert.match(metrics, /^pds_source_success_timestamp_seconds\{dataset="toilets"\} \d+/m)

    const environment = { SOURCES: 'sources.json' }
    const listed = await pds(folder, ['sources'], { environment })
    assert.match(listed.stdout, /^toilets +http:\S+ +published .* release 1 of .* next 20/m)
    assert.match(listed.stdout, /^ {2}-> the server sent an HTML page, not data/m)
    const checked = await pds(folder, ['doctor'], { environment })
    assert.match(checked.stdout, /^ok +source of toilets +http:\S+: it answers/m)
    assert.match(checked.stdout, /^fail +source of recycling +http:\S+: the server sent an HTML page/m)
    const told = [page.text, listed.stdout, checked.stdout, JSON.stringify(serving.log)].join()
    assert.doesNotMatch(told, /s3cret/)
    assert.equal((await serving.stop()).status, 0)
  })

  test('a slip in the file stops the start with one line', async t => {
    const { folder } = await setUp(t)
    await writeFile(join(folder, 'sources.json'), '{"sources": [{"dataset": "toilets"}]}')
    const { status, stderr } = await pds(folder, ['serve'], { environment: { SOURCES: 'sources.json' } })
    assert.equal(stderr, 'error: SOURCES: sources.json, /sources/0: lacks url, every\n')
    assert.equal(status, 2)
  })

  for (const { name, emptyStore } of ENGINES)
    test(`${name}: of two instances one follows; it is killed, and the other takes over within 15 s`, async t => {
      const { good, serve } = await setUp(t)
      const environment = { DATABASE_URL: await emptyStore(t) }
      const one = await serve(environment)
      await until(() => eventOf(one, 'source-published'), 'the first import')
      const other = await serve(environment)
      await until(
        async () => JSON.parse((await other.admin('/sources.json')).text)[0].state?.changed,
        'its state',
      )
      await until(() => good.requests.length === 2, 'the next request', ONE_TURN_MS)
      assert.equal(good.requests[1]?.['if-none-match'], '"one"')
      assert.equal(eventOf(other, 'sources-leading'), undefined)
      await one.stop('SIGKILL')
      await until(() => eventOf(other, 'sources-leading'), 'the other one', 20_000)
      await until(() => good.requests.length === 3, 'its request', ONE_TURN_MS)
      assert.equal(good.requests[2]?.['if-none-match'], '"one"')
      assert.equal((await other.stop()).status, 0)
    })

  test('a release that is damaged while it is served is published again from its unchanged source', async t => {
    const { folder, good, serve } = await setUp(t)
    const serving = await serve()
    await until(() => eventOf(serving, 'source-published'), 'the first import')
    await truncate(join(folder, 'data/releases/toilets/1.sqlite'), 100)
    await until(() => good.requests.length === 2, 'the next request', ONE_TURN_MS)
    assert.equal(good.requests[1]?.['if-none-match'], undefined)
    await until(
      () => serving.log.some(({ event, release }) => event === 'release-served' && release === 2),
      'it',
    )
    assert.equal((await serving.get('/v1/toilets')).status, 200)
    assert.equal((await serving.stop()).status, 0)
  })
})
