import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { openStore } from '../../../src/store/open-store.ts'
import { type Store, StoreBusyError, StoreUnusableError } from '../../../src/store/store.ts'
import { startLoneServer } from '../../support/lone-server.ts'
import { cluster } from '../../support/postgres.ts'
import type { PostgresNode } from '../../support/postgres-node.ts'
import { NO_STANDBY } from '../../support/standby.ts'
import { publishAll, VEHICLES, vehicles } from '../../support/stored-vehicles.ts'
import { until } from '../../support/until.ts'

const options = { skip: NO_STANDBY }
/** Enough that some queries are always pending when a server fails. */
const CLIENTS = 4
/** A request fails within 2 seconds; a busy machine may take some more to say so. */
const BOUND_MS = 2500

/** Queries a store in a loop; records the longest query time, and which queries failed and how. */
function askOnAndOn(store: Store, ask: (store: Store) => Promise<unknown>) {
  const failures: unknown[] = []
  let answers = 0
  let longest = 0
  let ended = false
  const asking = Array.from({ length: CLIENTS }, async () => {
    while (!ended) {
      const from = performance.now()
      await ask(store).then(
        () => {
          answers++
        },
        (error: unknown) => failures.push(error),
      )
      longest = Math.max(longest, performance.now() - from)
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  })
  return {
    failures,
    answers: () => answers,
    async end() {
      ended = true
      await Promise.all(asking)
      return { answers, longest, failures }
    },
  }
}

type Fault = [
  words: string,
  break_: (server: PostgresNode) => Promise<void>,
  correct: (server: PostgresNode) => Promise<void>,
]
const FAULTS: Fault[] = [
  ['crashes', server => server.stop('immediate'), server => server.start()],
  ['is frozen', server => server.freeze(), server => server.thaw()],
]

test('a server becomes unavailable: requests fail soon, and succeed once it is back', options, async t => {
  const server = await startLoneServer(t)
  const store = await openStore(server.address('pds'))
  t.after(() => store.close())
  const release = await publishAll(store, 'vehicles', VEHICLES, vehicles(100))
  const { table } = await store.releases.open(release, VEHICLES)
  for (const [words, break_, correct] of FAULTS)
    await t.test(words, async t => {
      const asking = askOnAndOn(store, () =>
        Promise.all([store.releases.revision(), table?.execute({ filters: [], offset: 0, limit: 10 })]),
      )
      await until(() => asking.answers() > 10, 'answers')
      await break_(server)
      await until(() => asking.failures.length > 50, 'refusals')
      const [trouble] = store.degraded()
      assert.equal(trouble?.part, 'primary')
      await correct(server)
      const from = performance.now()
      const before = asking.answers()
      await until(() => asking.answers() > before + CLIENTS, 'answers again')
      const back = performance.now() - from
      const { longest, failures } = await asking.end()
      t.diagnostic(`longest wait ${Math.round(longest)} ms, back after ${Math.round(back)} ms`)
      assert.ok(longest < BOUND_MS, `${longest} ms`)
      for (const error of failures) assert.ok(error instanceof StoreUnusableError, String(error))
      assert.deepEqual(store.degraded(), [])
    })
})

test('frozen connections are abandoned while new ones work', options, async t => {
  const server = await startLoneServer(t)
  const store = await openStore(server.address('pds'))
  t.after(() => store.close())
  await Promise.all(Array.from({ length: 4 }, () => store.releases.list('vehicles')))
  await server.freeze('children')
  await assert.rejects(store.releases.revision(), StoreUnusableError)
  await until(
    () =>
      store.releases.revision().then(
        () => true,
        () => false,
      ),
    'an answer over a new connection',
  )
  await server.thaw()
})

test('a slow query does not make a server unavailable, and delays nobody else', options, async t => {
  const address = await (await cluster()).emptyDatabase()
  const store = await openStore(`${address}?pool_size=2&statement_timeout=3000`)
  t.after(() => store.close())
  const holder = new Client({ connectionString: address })
  await holder.connect()
  await holder.query(`
    create function pds.slow() returns trigger language plpgsql as $$ begin perform pg_sleep(1.5); return new; end $$;
    create trigger slow before insert on pds.observations for each row execute function pds.slow()`)
  const saving = store.readings.saveObservation({ timestamp: '2024-05-01T10:00:00.000Z', entries: [] })
  assert.equal(await store.releases.revision(), 0)
  await saving
  assert.deepEqual(store.degraded(), [])

  // The lock blocks these queries, so all connections are in use, and one more is requested.
  await holder.query('begin; lock table pds.observations')
  const asking = Array.from({ length: 4 }, () =>
    store.readings.latestObservation().catch((error: unknown) => error),
  )
  await assert.rejects(store.readings.latestObservation(), (error: Error) => {
    assert.ok(error instanceof StoreBusyError)
    assert.match(error.message, /^all 4 connections to the database .* are in use: try again$/)
    return true
  })
  // The server cancels a query that takes too long, with an error.
  for (const error of await Promise.all(asking)) assert.ok(error instanceof StoreBusyError, String(error))
  await holder.end()
  assert.ok(await store.readings.latestObservation())
  assert.deepEqual(store.degraded(), [])
})
