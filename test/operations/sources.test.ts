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
import { startReceiver } from '../support/webhook-receiver.ts'

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
    assert.match(metrics, /^pds_source_failures_total\{dataset="recycling",reason="type"\} 1$/m)
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
    await truncate(join(folder, 'data/releases/toilets/1.ndjson.gz'), 100)
    await until(() => good.requests.length === 2, 'the next request', ONE_TURN_MS)
    assert.equal(good.requests[1]?.['if-none-match'], undefined)
    await until(
      () => serving.log.some(({ event, release }) => event === 'release-served' && release === 2),
      'it',
    )
    assert.equal((await serving.get('/v1/toilets')).status, 200)
    assert.equal((await serving.stop()).status, 0)
  })

  for (const { name, emptyStore } of ENGINES)
    test(`${name}: an operator sees why a source is refused, and publishes exactly what was refused, once`, async t => {
      const folder = await emptyFolder(t)
      const receiver = await startReceiver(t)
      const few = Buffer.from('Lieu;parish;latitude;longitude\nCaf\xe9;St. Helier;49.18;-2.1\n', 'latin1')
      const served = { 'content-type': 'text/csv' }
      const source = await startUpstream(answers(few, served))
      t.after(() => source.close())
      const entry = { dataset: 'toilets', url: source.url, every: '6h', allowPrivate: true }
      const reading = { map: { Lieu: 'name' }, encoding: 'windows-1252' }
      await writeFile(join(folder, 'sources.json'), JSON.stringify({ sources: [{ ...entry, ...reading }] }))
      const environment = {
        SOURCES: 'sources.json',
        DATABASE_URL: await emptyStore(t),
        NOTIFY_URL: receiver.url,
        PORT: '0',
        ADMIN_PORT: String(await freePort()),
      }
      const run = (...words: string[]) => pds(folder, words, { environment })
      const rows = Array.from({ length: 10 }, (_, n) => `Toilet ${n},St. Helier,49.18,-2.1\n`)
      const input = `name,parish,latitude,longitude\n${rows.join('')}`
      assert.equal((await pds(folder, ['import', 'toilets', '-'], { environment, input })).status, 0)
      const child = startPds(folder, ['serve'], environment)
      t.after(() => child.kill('SIGKILL'))
      const serving = await watchServing(t, child)
      await until(() => eventOf(serving, 'source-refused'), 'the refusal')

      const listed = await run('sources', 'toilets')
      assert.match(listed.stdout, /^ {2}-> row-count: it has 1 records where the current release has 10/m)
      assert.match(listed.stdout, /to publish it as it is: pds sources toilets .*--accept row-count/)
      assert.match((await serving.admin('/sources')).text, /row-count: it has 1 records/)
      const report = await run('sources', 'toilets', '--report')
      assert.match(report.stdout, /^toilets: refused, nothing was changed: .*row-count: it has 1 records/)
      assert.match(report.stdout, /^ +row-count +failed +it has 1 records where the current release has 10/m)
      const { checks, contentHash } = JSON.parse(
        (await run('sources', 'toilets', '--report', '--json')).stdout,
      )
      const failed = (checks as { name: string; outcome: string }[]).filter(
        ({ outcome }) => outcome === 'failed',
      )
      const accept = failed.flatMap(({ name }) => ['--accept', name])
      const releases = async () => JSON.parse((await run('releases', 'toilets', '--json')).stdout)

      const wrong = await run('sources', 'toilets', '--accept', 'moved-places')
      assert.deepEqual(
        [wrong.status, /refused, nothing was changed: .*row-count/.test(wrong.stdout)],
        [1, true],
      )
      source.behaviour = answers(Buffer.concat([few, Buffer.from('Quay;St. Ouen;49.2;-2.2\n')]), served)
      const changed = await run('sources', 'toilets', ...accept)
      assert.equal(changed.status, 1)
      assert.match(changed.stdout, /the source has changed since it was refused, so nothing is published/)
      assert.equal((await releases()).length, 1)

      source.behaviour = answers(few, served)
      const accepted = await run('sources', 'toilets', ...accept)
      assert.deepEqual([accepted.status, accepted.stderr], [0, ''])
      assert.match(accepted.stdout, /^toilets: published release 2/)
      assert.equal((await releases())[0].hash, contentHash)
      await until(() => eventOf(serving, 'source-published'), 'the server has taken it over')
      await until(
        async () => (await serving.get('/v1/toilets')).text.includes('"Café"'),
        'the release is served',
      )
      await until(() => receiver.received.length === 2, 'the end of the refusal')
      assert.deepEqual(
        receiver.messages().map(({ type }) => type),
        ['import.refused', 'import.recovered'],
      )
      const again = await run('sources', 'toilets', ...accept)
      assert.deepEqual(
        [again.status, again.stderr],
        [1, 'error: the source of toilets is not refused: there is nothing to accept\n'],
      )
      assert.match((await run('sources', '--report')).stderr, /name|one source/)
      assert.equal((await run('sources', 'recycling', '--report')).status, 2)
      assert.equal((await serving.stop()).status, 0)
    })
})
