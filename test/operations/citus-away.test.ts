import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStore } from '../../src/store/open-store.ts'
import { NO_CITUS, startCitus } from '../support/citus.ts'
import { ISLAND } from '../support/island.ts'
import type { PostgresNode } from '../support/postgres-node.ts'
import { publish } from '../support/service.ts'
import type { Answer, Serving } from '../support/serving.ts'
import { makeSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const REFUSED_WITHIN_MS = 2000

const FAULTS: [string, (worker: PostgresNode) => Promise<void>, (worker: PostgresNode) => Promise<void>][] = [
  ['has crashed', worker => worker.stop('immediate'), worker => worker.start()],
  ['is frozen', worker => worker.freeze(), worker => worker.thaw()],
]

/** What does not read the rows that the workers have. */
const OTHERS = ['/v1/datasets', '/v1/carparks', '/v1/toilets', '/v1/product-recalls']

async function timed(serving: Serving, path: string): Promise<{ answer: Answer; ms: number }> {
  const from = performance.now()
  return { answer: await serving.get(path), ms: performance.now() - from }
}

test('a worker of Citus fails: the register is refused in time, all else is served, and the next request after its return', {
  skip: NO_CITUS,
}, async t => {
  const { coordinator, workers } = await startCitus(t)
  const address = coordinator.address('pds')
  const store = await openStore(address, { tables: { engine: 'sql', prerenderBytes: 0 } })
  for (const [dataset, content] of Object.entries(ISLAND)) await publish(store, dataset, content)
  await store.close()
  const site = await makeSite(t)
  const serving = await site.serve({
    DATABASE_URL: address,
    TABLE_ENGINE: 'sql',
    RESPONSE_CACHE_MB: '0',
    VEHICLES_RATE_LIMIT: '0',
  })
  const isServed = async (path: string) => {
    const { status, text } = await serving.get(path)
    assert.equal(status, 200, `${path}: ${text}`)
  }
  await until(async () => (await serving.admin('/readyz')).status === 200, 'being ready')
  for (const path of OTHERS) await isServed(path)
  for (const [words, fail, recover] of FAULTS)
    for (const worker of workers)
      await t.test(`worker ${worker.port} ${words}`, async t => {
        // Every connection of the service has connections to the workers.
        await Promise.all(Array.from({ length: 20 }, () => isServed('/v1/vehicles?make=r')))
        await fail(worker)
        const refused = await Promise.all([1, 2, 3].map(() => timed(serving, '/v1/vehicles?make=r')))
        t.diagnostic(`refused after ${refused.map(({ ms }) => Math.round(ms)).join(', ')} ms`)
        for (const { answer, ms } of refused) {
          assert.equal(answer.status, 503, answer.text)
          assert.match(String(answer.headers['retry-after']), /^\d+$/)
          assert.ok(ms < REFUSED_WITHIN_MS, `${ms} ms`)
        }
        for (const path of OTHERS) await isServed(path)
        await recover(worker)
        await isServed('/v1/vehicles?make=r')
      })
  assert.ok(!serving.log.some(({ msg }) => msg === 'a request failed'))
})
