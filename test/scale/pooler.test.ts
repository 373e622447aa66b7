import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agent } from 'undici'
import { openStore } from '../../src/store/open-store.ts'
import { startFleet } from '../support/fleet.ts'
import { vehiclesOf } from '../support/numbered-releases.ts'
import { NO_PGBOUNCER, startPgbouncer } from '../support/pgbouncer.ts'
import { cluster, NO_POSTGRES, postgresFolder } from '../support/postgres.ts'
import { publish } from '../support/service.ts'
import { type Answer, ask } from '../support/serving.ts'
import { until } from '../support/until.ts'

const PARALLEL = 300

test(`${PARALLEL} concurrent queries over pgbouncer in transaction mode: each gets the right result`, {
  skip: NO_PGBOUNCER || (postgresFolder() === undefined && NO_POSTGRES),
}, async t => {
  const { port, emptyDatabase } = await cluster()
  const address = await emptyDatabase()
  const store = await openStore(address, { tables: { engine: 'sql', prerenderBytes: 0 } })
  await publish(store, 'vehicles', vehiclesOf(PARALLEL))
  await store.close()
  const pooler = await startPgbouncer(t, port)
  const [instance = assert.fail()] = await startFleet(t, 1, {
    DATABASE_URL: address,
    DATABASE_READ_URL: `${address.replace(String(port), String(pooler.port))}?pool_size=${PARALLEL}`,
    ...{ TABLE_ENGINE: 'sql', RESPONSE_CACHE_MB: '0', VEHICLES_RATE_LIMIT: '0' },
  })
  const before = await pooler.passedOn()
  const agent = new Agent({ connections: PARALLEL })
  t.after(() => agent.destroy())
  await until(async () => {
    const answers = await Promise.all(
      Array.from({ length: PARALLEL }, (_, index) =>
        ask(agent, `${instance.url}/v1/vehicles?limit=1&page=${index + 1}`),
      ),
    )
    const models = answers.filter(answer => !isRefusal(answer)).map(modelIn)
    assert.equal(new Set(models).size, models.length, 'every vehicle once')
    return models.length === PARALLEL
    // The first ones wait until so many connections are open.
  }, 'all being answered at once')
  const passedOn = (await pooler.passedOn()) - before
  t.diagnostic(`${passedOn} statements over the pooler`)
  assert.ok(passedOn >= PARALLEL)
})

/** More was asked than could be answered soon; anything else that is not a right answer is wrong. */
const isRefusal = ({ status, text }: Answer) => status === 503 && JSON.parse(text).code === 'OVERLOADED'

function modelIn({ status, text }: Answer): string {
  assert.equal(status, 200, text)
  const { results, pagination } = JSON.parse(text)
  assert.equal(pagination.totalItems, PARALLEL + 40)
  return results[0].model
}
