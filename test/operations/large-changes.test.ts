import assert from 'node:assert/strict'
import { truncate } from 'node:fs/promises'
import { test } from 'node:test'
import { releasePath } from '../../src/store/sqlite/folder.ts'
import { build, publish } from '../support/service.ts'
import { ENGINES } from '../support/store-engines.ts'
import { until } from '../support/until.ts'

/** More than are compared in the service's own thread. */
const VEHICLES = 3000

/** A register in which the release's number is the colour of nine vehicles in ten. */
const register = (release: number) =>
  ['make,model,color,cc']
    .concat(
      Array.from({ length: VEHICLES }, (_, n) => `Make ${n % 7},Model ${n},${n % 10 ? release : 0},${n}`),
    )
    .join('\n')

for (const engine of ENGINES)
  test(`${engine.name}: large releases are compared in a thread of its own, once for all who ask at once`, async t => {
    const databaseUrl = await engine.emptyStore(t)
    const environment = { DATABASE_URL: databaseUrl }
    const service = await build(t, { vehicles: register(1) }, { databaseUrl, environment })
    const { app, store, snapshots } = service
    for (const release of [2, 3]) await publish(store, 'vehicles', register(release))
    await until(() => snapshots.get('vehicles')?.release.number === 3)

    // One that is made at the time is shared; another one is refused meanwhile.
    const [first, second, other] = await Promise.all(
      ['changes?since=1', 'changes?since=1', 'changes?since=2'].map(path =>
        app.inject(`/v1/vehicles/${path}`),
      ),
    )
    assert.deepEqual([first?.statusCode, second?.statusCode, other?.statusCode], [200, 200, 503])
    assert.deepEqual([other?.json().code, other?.headers['retry-after']], ['OVERLOADED', '5'])
    assert.equal(first?.body, second?.body)

    const { counts, changed, added, removed } = (first ?? assert.fail()).json()
    assert.deepEqual(counts, { added: 0, changed: VEHICLES * 0.9, removed: 0 })
    assert.deepEqual([changed.length, added, removed], [VEHICLES * 0.9, [], []])
    const served = (await app.inject(`/v1/vehicles?limit=1000&color=3&match=exact`)).json().results
    const records = new Set(changed.map(({ record }: { record: object }) => JSON.stringify(record)))
    assert.ok(served.every((vehicle: object) => records.has(JSON.stringify(vehicle))))
    assert.ok(changed.every(({ before }: { before: object }) => JSON.stringify(before) === '{"color":"1"}'))

    // What has been made is kept: a second comparison may be made, and the first be read again.
    const again = await app.inject({
      url: '/v1/vehicles/changes?since=1',
      headers: { 'accept-encoding': 'identity' },
    })
    assert.equal(again.body, first?.body)
    const lines = (await app.inject('/v1/vehicles/changes.ndjson?since=2')).body.trimEnd().split('\n')
    assert.equal(lines.length, 1 + VEHICLES * 0.9)
    const tag = String(first?.headers.etag)
    const unchanged = await app.inject({
      url: '/v1/vehicles/changes?since=1',
      headers: { 'if-none-match': tag },
    })
    assert.equal(unchanged.statusCode, 304)
  })

test('a release whose file is damaged is 503, and the next comparison is made', async t => {
  const databaseUrl = await (ENGINES[0] ?? assert.fail()).emptyStore(t)
  const environment = { DATABASE_URL: databaseUrl }
  const { app, store, snapshots } = await build(t, { vehicles: register(1) }, { databaseUrl, environment })
  for (const release of [2, 3]) await publish(store, 'vehicles', register(release))
  await until(() => snapshots.get('vehicles')?.release.number === 3)
  await truncate(releasePath(databaseUrl.replace('sqlite:', ''), 'vehicles', '1.table'), 100)
  const damaged = await app.inject('/v1/vehicles/changes?since=1')
  assert.deepEqual([damaged.statusCode, damaged.json().code], [503, 'DATASET_UNAVAILABLE'])
  assert.equal((await app.inject('/v1/vehicles/changes?since=2')).statusCode, 200)
})

test('a service that stops ends the comparison, and tells who waits for it', async t => {
  const databaseUrl = await (ENGINES[0] ?? assert.fail()).emptyStore(t)
  const environment = { DATABASE_URL: databaseUrl }
  const { app, store, snapshots } = await build(t, { vehicles: register(1) }, { databaseUrl, environment })
  for (const release of [2, 3]) await publish(store, 'vehicles', register(release))
  await until(() => snapshots.get('vehicles')?.release.number === 3)
  // Injected now, and not when it is awaited.
  const waiting = Promise.resolve(app.inject('/v1/vehicles/changes?since=1'))
  // That another one is refused shows that it has begun.
  assert.equal((await app.inject('/v1/vehicles/changes?since=2')).statusCode, 503)
  app.comparisons.close()
  const response = await waiting
  assert.deepEqual([response.statusCode, response.json().detail], [503, 'The service is stopping.'])
})
