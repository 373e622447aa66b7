import assert from 'node:assert/strict'
import { open, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pino } from 'pino'
import { DATASETS } from '../../src/datasets/index.ts'
import { vehicles } from '../../src/datasets/vehicles/index.ts'
import { ndjson } from '../../src/formats/ndjson.ts'
import { streamUnder } from '../../src/releases/snapshots/leases.ts'
import { followStore } from '../../src/releases/snapshots/snapshots.ts'
import { DamagedReleaseError } from '../../src/store/store.ts'
import { filesMade } from '../support/files-made.ts'
import { emptyFolder } from '../support/folder.ts'
import { publish, temporaryStore } from '../support/service.ts'
import type { Serving } from '../support/serving.ts'
import { makeSite } from '../support/site.ts'
import { until } from '../support/until.ts'

/* Files of releases are damaged in place while they are read by SQL. */

const WITHIN_MS = 2000
const BY_SQL = { TABLE_ENGINE: 'sql', VEHICLES_RATE_LIMIT: '0' }

/** Too many to stay in SQLite's page cache. */
const register = (number: number, rows = 40_000) =>
  `MAKE,MODEL\n${Array.from({ length: rows }, (_, index) => `release ${number},Model ${index}\n`).join('')}`

const fileOf = (data: string, number: number) => join(data, 'releases', 'vehicles', `${number}.sqlite`)

/** Overwrites the middle half of a file. */
async function overwrite(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const { size } = await file.stat()
    await file.write(Buffer.alloc(Math.floor(size / 2), 0xa5), 0, null, Math.floor(size / 4))
  } finally {
    await file.close()
  }
}

const queried = (serving: Serving, model: number) => serving.get(`/v1/vehicles?model=Model%20${model}`)
const stateOf = async (serving: Serving) => {
  const { status, text } = await serving.admin('/readyz')
  const missing = JSON.parse(text).missing as { what: string; detail: string }[]
  return { status, detail: missing.find(({ what }) => what === 'vehicles')?.detail }
}

for (const [how, damage] of [
  ['overwritten', overwrite],
  ['truncated', (path: string) => truncate(path, 8192)],
] as const)
  test(`a release that is ${how} while it is served: 503 once it is found, and within 2 s the one before it`, async t => {
    const site = await makeSite(t)
    await site.publish('vehicles', register(1))
    await site.publish('vehicles', register(2))
    const serving = await site.serve(BY_SQL)
    assert.match((await queried(serving, 1)).text, /"release 2"/)
    // Else making them finds the damage, not a request.
    await filesMade(serving, ['vehicles'])

    await damage(fileOf(site.data, 2))
    const found = await until(async () => {
      const answer = await queried(serving, 20_000)
      assert.ok(answer.status === 503 || /"release 2"/.test(answer.text), `${answer.status} ${answer.text}`)
      return answer.status === 503 && answer
    }, 'the damage')
    const foundAt = performance.now()
    assert.equal(JSON.parse(found.text).code, 'DATASET_UNAVAILABLE')
    assert.match(String(found.headers['content-type']), /^application\/problem\+json/)
    assert.match(String(found.headers['retry-after']), /^[1-9]\d*$/)
    await until(async () => {
      const { status, text } = await queried(serving, 20_001)
      assert.notEqual(status, 500, text)
      return status === 200 && /"release 1"/.test(text)
    }, 'the release before it')
    const tookMs = performance.now() - foundAt
    assert.ok(tookMs <= WITHIN_MS, `${Math.round(tookMs)} ms`)
    t.diagnostic(`the release before it after ${Math.round(tookMs)} ms`)

    assert.deepEqual(await stateOf(serving), {
      status: 200,
      detail: 'release 2 is damaged, release 1 is served: import again or roll back',
    })
    const events = serving.log.filter(({ event }) => event === 'release-damaged')
    assert.deepEqual(
      events.map(({ dataset, release }) => [dataset, release]),
      [['vehicles', 2]],
    )
    const metrics = await serving.metrics()
    assert.equal(metrics.get('pds_release_damaged{dataset="vehicles"}'), 1)
    assert.ok(Number(metrics.get('pds_store_errors_total{reason="damaged"}')) >= 1)
  })

test('without a sound release left the dataset is 503, and not ready, until a new import', async t => {
  const site = await makeSite(t)
  await site.publish('vehicles', register(1))
  const serving = await site.serve(BY_SQL)
  await overwrite(fileOf(site.data, 1))
  await until(async () => (await queried(serving, 20_000)).status === 503, 'the damage')
  await until(async () => (await stateOf(serving)).status === 503, 'not ready')
  for (let model = 0; model < 20; model++) {
    const { status, headers, text } = await queried(serving, model)
    assert.deepEqual([status, JSON.parse(text).code], [503, 'DATASET_UNAVAILABLE'])
    assert.ok(headers['retry-after'])
  }
  assert.match(String((await stateOf(serving)).detail), /^release 1 is damaged, nothing is served/)
  assert.equal((await serving.admin('/livez')).status, 200)

  await site.publish('vehicles', register(1))
  await until(async () => (await queried(serving, 20_000)).status === 200, 'the new import')
  assert.equal((await stateOf(serving)).status, 200)
})

test('a stream that comes to a damaged page fails, and the release before it is served', async t => {
  const folder = await emptyFolder(t)
  const store = await temporaryStore(t, `sqlite:${folder}`)
  const snapshots = followStore({
    ...{ store, datasets: DATASETS, log: pino({ level: 'silent' }) },
    loadTable: async ({ table }) => table ?? assert.fail(),
  })
  t.after(() => snapshots.stop())
  for (const number of [1, 2]) await publish(store, 'vehicles', register(number))
  await snapshots.start()

  const lease = snapshots.acquire('vehicles') ?? assert.fail()
  const stream = await streamUnder(lease, async ({ collection }) => {
    const result = await collection.execute({})
    return { chunks: ndjson.write(result.batches(), vehicles.record) }
  })
  let received = ''
  const reading = async () => {
    for await (const chunk of stream.chunks) {
      if (received === '') await overwrite(fileOf(folder, 2))
      received += Buffer.from(chunk).toString()
    }
  }
  await assert.rejects(reading, DamagedReleaseError)
  stream.close()
  const lines = received.split('\n').slice(0, -1)
  assert.ok(lines.length > 0 && lines.length < 40_000)
  for (const line of lines) assert.equal(JSON.parse(line).make, 'release 2')
  assert.equal(snapshots.health('vehicles').damaged?.number, 2)
  await until(() => snapshots.get('vehicles')?.release.number === 1, 'the release before it')
})
