import assert from 'node:assert/strict'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { Client } from 'pg'
import { openStore } from '../../src/store/open-store.ts'
import { freePort } from '../support/free-port.ts'
import { VEHICLES } from '../support/island.ts'
import { startLoneServer } from '../support/lone-server.ts'
import { TEST_WORKERS } from '../support/pds.ts'
import { cluster } from '../support/postgres.ts'
import type { PostgresNode } from '../support/postgres-node.ts'
import { publish } from '../support/service.ts'
import type { Answer, Serving } from '../support/serving.ts'
import { makeSite } from '../support/site.ts'
import { NO_STANDBY } from '../support/standby.ts'
import { until } from '../support/until.ts'

const options = { skip: NO_STANDBY }

interface Readiness {
  readonly ready: boolean
  readonly missing: readonly { readonly what: string; readonly detail: string }[]
}

const READING = { timestamp: '2024-05-01T10:00:00.000Z' }
const ENTRY = { name: 'Sand Street', code: 'SS', spaces: 42, status: 'SPACES', open: true }

/** Puts a release and a reading into a database; gives its address. */
async function filled(address: string): Promise<string> {
  const store = await openStore(address, { tables: { engine: 'sql', prerenderBytes: 0 } })
  await publish(store, 'vehicles', VEHICLES)
  await store.readings.saveObservation({ ...READING, entries: [ENTRY] })
  await store.close()
  return address
}

async function serve(t: TestContext, environment: Readonly<Record<string, string>>): Promise<Serving> {
  const site = await makeSite(t)
  return site.serve({ TABLE_ENGINE: 'sql', RESPONSE_CACHE_MB: '0', VEHICLES_RATE_LIMIT: '0', ...environment })
}

async function readiness(serving: Serving): Promise<Readiness> {
  return JSON.parse((await serving.admin('/readyz')).text)
}

const events = ({ log }: Serving, event: string) => log.filter(line => line.event === event)

/** What a command ends with, and what it said is wrong. */
async function ended(child: ChildProcessWithoutNullStreams): Promise<{ status: unknown; said: string }> {
  const [said, status] = await Promise.all([
    text(child.stderr),
    new Promise(resolve => child.once('close', resolve)),
  ])
  return { status, said }
}

/** Asks by SQL, past what is kept. */
const ask = (serving: Serving, n: number) =>
  serving.get(`/v1/vehicles?minCylinderCapacity=${n % 7}&limit=1&page=${n + 1}`)

/** An answer that says that the store cannot be asked, and nothing of what the store said. */
function isRefused({ status, headers, text }: Answer, ...codes: string[]): void {
  assert.equal(status, 503, text)
  const { type: _address, ...problem } = JSON.parse(text)
  assert.ok(codes.includes(problem.code), text)
  assert.match(String(headers['retry-after']), /^\d+$/)
  assert.equal(headers['cache-control'], 'no-store')
  assert.doesNotMatch(JSON.stringify(problem), /\bselect \w|postgres|127\.0\.0\.1|\\n/i)
}

test(
  'the database is not there at the start: the service starts, says why, and takes it up when it comes',
  options,
  async t => {
    const primary = await startLoneServer(t)
    await filled(primary.address('pds'))
    await primary.stop('fast')
    const serving = await serve(t, { DATABASE_URL: primary.address('pds') })
    assert.equal((await serving.admin('/livez')).status, 200)
    assert.equal((await serving.admin('/readyz')).status, 503)
    const { missing } = await readiness(serving)
    assert.match(
      missing.find(({ what }) => what === 'store')?.detail ?? '',
      /refuses connections: start PostgreSQL/,
    )
    isRefused(await serving.get('/v1/vehicles'), 'DATASET_UNAVAILABLE')
    assert.equal((await serving.metrics()).get('pds_store_unavailable'), 1)
    await primary.start()
    const from = performance.now()
    await until(async () => (await serving.admin('/readyz')).status === 200, 'being ready')
    t.diagnostic(`ready after ${Math.round(performance.now() - from)} ms`)
    assert.equal((await serving.get('/v1/vehicles')).status, 200)
    // What the feed said last, and the past, are learnt late as well.
    await until(
      async () => (await serving.get('/v1/carparks/live-spaces')).text.includes('Sand Street'),
      'the reading',
    )
    const day = '/v1/carparks/SS/history?from=2024-05-01&to=2024-05-01&interval=raw'
    await until(async () => (await serving.get(day)).text.includes('"spaces":42'), 'history')
    assert.equal(events(serving, 'store-unavailable').length, TEST_WORKERS)
    assert.equal(events(serving, 'store-available').length, TEST_WORKERS)
    assert.equal((await serving.stop()).status, 0)
  },
)

const FAULTS: [string, (server: PostgresNode) => Promise<void>, (server: PostgresNode) => Promise<void>][] = [
  ['crashes', server => server.stop('immediate'), server => server.start()],
  ['is frozen', server => server.freeze(), server => server.thaw()],
]

test(
  'the database fails while clients ask: they are told within moments, and served again by itself',
  options,
  async t => {
    const server = await startLoneServer(t)
    const serving = await serve(t, { DATABASE_URL: await filled(server.address('pds')) })
    for (const [words, break_, correct] of FAULTS)
      await t.test(words, async t => {
        const before = events(serving, 'store-unavailable').length
        const answers: { readonly answer: Answer; readonly ms: number }[] = []
        let ended = false
        const clients = Array.from({ length: 4 }, async () => {
          while (!ended) {
            const from = performance.now()
            const answer = await ask(serving, answers.length)
            answers.push({ answer, ms: performance.now() - from })
          }
        })
        await until(() => answers.length > 20, 'answers')
        await break_(server)
        await until(() => answers.filter(({ answer }) => answer.status === 503).length > 20, 'refusals')
        await until(
          async () => (await readiness(serving)).missing.some(({ what }) => what === 'store'),
          'readyz',
        )
        await until(
          () => events(serving, 'store-unavailable').length === before + TEST_WORKERS,
          'each worker telling it',
        )
        // What is loaded is served on.
        assert.equal((await serving.get('/v1/datasets')).status, 200)
        assert.equal((await readiness(serving)).ready, true)
        assert.equal((await serving.metrics()).get('pds_store_servers_unavailable{part="primary"}'), 1)
        await correct(server)
        const from = performance.now()
        await until(() => answers.at(-1)?.answer.status === 200, 'answers again')
        const back = performance.now() - from
        ended = true
        await Promise.all(clients)
        const longest = Math.max(...answers.map(({ ms }) => ms))
        t.diagnostic(`longest answer ${Math.round(longest)} ms, back after ${Math.round(back)} ms`)
        assert.ok(longest < 5000, `${longest} ms`)
        for (const { answer } of answers)
          if (answer.status !== 200) isRefused(answer, 'DATASET_UNAVAILABLE', 'OVERLOADED')
        await until(
          () => events(serving, 'store-available').length === before + TEST_WORKERS,
          'the end being told',
        )
        assert.equal(events(serving, 'store-unavailable').length, before + TEST_WORKERS, 'told once')
      })
    // Nothing was a mistake of ours.
    assert.ok(!serving.log.some(({ msg }) => msg === 'a request failed'))
    await server.freeze()
    const { status, seconds } = await serving.stop()
    t.diagnostic(`ended after ${seconds.toFixed(1)} s with the database frozen`)
    assert.equal(status, 0)
  },
)

test(
  'more is asked than the database answers: those who would wait are told so, and nothing is called away',
  options,
  async t => {
    const address = await filled(await (await cluster()).emptyDatabase())
    const serving = await serve(t, { DATABASE_URL: `${address}?pool_size=2&statement_timeout=2000` })
    const holder = new Client({ connectionString: address })
    await holder.connect()
    t.after(() => holder.end().catch(() => undefined))
    const { rows } = await holder.query<{ names: string }>(
      "select string_agg(format('pds.%I', tablename), ', ') as names from pg_tables where tablename ~ '^r[0-9]+_'",
    )
    await holder.query(`begin; lock table ${rows[0]?.names}`)
    const from = performance.now()
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => ({
        answer: await ask(serving, n),
        ms: performance.now() - from,
      })),
    )
    for (const { answer } of answers) isRefused(answer, 'OVERLOADED')
    t.diagnostic(`refused after ${answers.map(({ ms }) => Math.round(ms)).join(', ')} ms`)
    // Those who waited for a connection, and not for what the lock holds, were told before the others.
    assert.ok(Math.min(...answers.map(({ ms }) => ms)) < 2000)
    await holder.end()
    await until(async () => (await ask(serving, 1)).status === 200, 'an answer')
    assert.equal((await readiness(serving)).ready, true)
    assert.deepEqual(
      [events(serving, 'store-unavailable').length, events(serving, 'store-busy').length],
      [0, TEST_WORKERS],
    )
    assert.ok(Number((await serving.metrics()).get('pds_store_errors_total{reason="busy"}')) >= 1)
  },
)

test('an error that an operator has to fix ends the start with one line', options, async t => {
  const site = await makeSite(t)
  const other = `postgres://pds@127.0.0.1:${(await cluster()).port}/nothing`
  for (const [environment, expected] of [
    [
      { DATABASE_URL: other },
      /^error: the database nothing on .* does not exist: create it, or name another\n$/,
    ],
    [{ DATABASE_READ_URL: other }, /^error: DATABASE_READ_URL is for stores on PostgreSQL alone: unset it/],
  ] as const) {
    const { status, said } = await ended(
      site.start(['serve'], { PORT: '0', ADMIN_PORT: '0', ...environment }),
    )
    assert.equal(status, 1)
    assert.match(said, expected)
  }
})

test('an import while the database is unavailable is refused with one line', options, async t => {
  const site = await makeSite(t)
  const DATABASE_URL = `postgres://pds@127.0.0.1:${await freePort()}/pds`
  const child = site.start(['import', 'vehicles', '-'], { DATABASE_URL })
  child.stdin.on('error', () => {})
  child.stdin.end('MAKE\nFORD\n')
  const { status, said } = await ended(child)
  assert.equal(status, 1)
  assert.match(said, /^error: .*refuses connections: start PostgreSQL there.*\n$/)
})
