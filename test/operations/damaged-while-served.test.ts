import assert from 'node:assert/strict'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { NO_POSTGRES, postgresFolder } from '../support/postgres.ts'
import { run } from '../support/postgres-server.ts'
import type { Serving } from '../support/serving.ts'
import { makeSite, makeSqlSite } from '../support/site.ts'
import { until } from '../support/until.ts'

/* The content of releases is damaged in place while they are served. */

const WITHIN_MS = 2000
const options = { skip: postgresFolder() === undefined && NO_POSTGRES }
const UNCACHED = { RESPONSE_CACHE_MB: '0', VEHICLES_RATE_LIMIT: '0' }

const register = (number: number, rows = 2000) =>
  `MAKE,MODEL\n${Array.from({ length: rows }, (_, index) => `release ${number},Model ${index}\n`).join('')}`

const queried = (serving: Serving, model: number) => serving.get(`/v1/vehicles?model=Model%20${model}`)
const stateOf = async (serving: Serving) => {
  const { status, text } = await serving.admin('/readyz')
  const missing = JSON.parse(text).missing as { what: string; detail: string }[]
  return { status, detail: missing.find(({ what }) => what === 'vehicles')?.detail }
}

/** Drops the rows of a release. */
async function drop(address: string, number: number): Promise<void> {
  const named = `select name from pds.release_files where dataset = 'vehicles' and number = ${number}`
  const [file] = await run<{ name: string }>(address, named)
  await run(address, `drop table pds.r${file?.name}_rows`)
}

test('a file that is overwritten while it is served from memory changes no answer; the next start finds it', async t => {
  const site = await makeSite(t)
  await site.publish('vehicles', register(1))
  await site.publish('vehicles', register(2))
  const serving = await site.serve(UNCACHED)
  const before = (await serving.get('/v1/vehicles?limit=1000&page=2')).text
  const file = await open(join(site.data, 'releases', 'vehicles', '2.table'), 'r+')
  const { size } = await file.stat()
  await file.write(Buffer.alloc(Math.floor(size / 2), 0xa5), 0, null, Math.floor(size / 4))
  await file.close()
  assert.equal((await serving.get('/v1/vehicles?limit=1000&page=2')).text, before)
  for (let model = 0; model < 20; model++) assert.match((await queried(serving, model)).text, /"release 2"/)
  await serving.stop()

  const again = await site.serve(UNCACHED)
  assert.match((await queried(again, 1)).text, /"release 1"/)
  assert.deepEqual(await stateOf(again), {
    status: 200,
    detail: 'release 2 is damaged, release 1 is served: import again or roll back',
  })
})

test(
  'rows that are dropped while they are served: 503 once it is found, and within 2 s the release before',
  options,
  async t => {
    const site = await makeSqlSite(t)
    await site.publish('vehicles', register(1))
    await site.publish('vehicles', register(2))
    const serving = await site.serve(UNCACHED)
    assert.match((await queried(serving, 1)).text, /"release 2"/)

    await drop(site.address, 2)
    const found = await queried(serving, 2)
    const foundAt = performance.now()
    assert.deepEqual([found.status, JSON.parse(found.text).code], [503, 'DATASET_UNAVAILABLE'])
    assert.match(String(found.headers['content-type']), /^application\/problem\+json/)
    assert.match(String(found.headers['retry-after']), /^[1-9]\d*$/)
    await until(async () => {
      const { status, text } = await queried(serving, 3)
      assert.notEqual(status, 500, text)
      return status === 200 && /"release 1"/.test(text)
    }, 'the release before it')
    const tookMs = performance.now() - foundAt
    assert.ok(tookMs <= WITHIN_MS, `${Math.round(tookMs)} ms`)
    t.diagnostic(`the release before it after ${Math.round(tookMs)} ms`)

    const state = {
      status: 200,
      detail: 'release 2 is damaged, release 1 is served: import again or roll back',
    }
    await until(async () => isDeepStrictEqual(await stateOf(serving), state), 'the readiness')
    const events = serving.log.filter(({ event }) => event === 'release-damaged')
    assert.ok(events.every(({ dataset, release }) => dataset === 'vehicles' && release === 2))
    assert.equal(events.length, new Set(events.map(({ pid }) => pid)).size, 'each worker tells it once')
    assert.notEqual(events.length, 0)
    const metrics = await serving.metrics()
    assert.equal(metrics.get('pds_release_damaged{dataset="vehicles"}'), 1)
    // None if the caches, which are warmed meanwhile, met the damage before the first request did.
    const failed = serving.log.filter(
      ({ event, reason }) => event === 'release-unreadable' && reason === 'damaged',
    )
    assert.equal(metrics.get('pds_store_errors_total{reason="damaged"}') ?? 0, failed.length)
  },
)

test(
  'without a sound release left the dataset is 503, and not ready, until a new import',
  options,
  async t => {
    const site = await makeSqlSite(t)
    await site.publish('vehicles', register(1))
    const serving = await site.serve(UNCACHED)
    await drop(site.address, 1)
    await until(async () => (await queried(serving, 20)).status === 503, 'the damage')
    await until(async () => (await stateOf(serving)).status === 503, 'not ready')
    for (let model = 0; model < 20; model++) {
      const { status, headers, text } = await queried(serving, model)
      assert.deepEqual([status, JSON.parse(text).code], [503, 'DATASET_UNAVAILABLE'])
      assert.ok(headers['retry-after'])
    }
    assert.match(String((await stateOf(serving)).detail), /^release 1 is damaged, nothing is served/)
    assert.equal((await serving.admin('/livez')).status, 200)

    await site.publish('vehicles', register(1))
    await until(async () => (await queried(serving, 20)).status === 200, 'the new import')
    await until(async () => (await stateOf(serving)).status === 200, 'being ready')
  },
)
