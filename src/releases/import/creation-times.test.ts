import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { temporaryStore } from '../../../test/support/service.ts'
import { recycling } from '../../datasets/recycling/index.ts'
import { type ImportOptions, importDataset } from './import.ts'

const ID = '010c4d66-cd8b-49da-a130-c13d2960e50c'
const OTHER = '03d8bf66-e451-4a20-b3e5-96f8c1293f2c'
const TIME = '2020-01-01T00:00:00.000Z'

const centre = (id: string, more: object = {}) => ({
  id,
  location: `Depot ${id.slice(0, 2)}`,
  parish: 'Trinity',
  latitude: 49.2,
  longitude: -2.1,
  services: ['GLASS'],
  ...more,
})

/** Returns the function that imports centres and resolves to the report and the published times. */
async function setUp(t: TestContext) {
  const store = await temporaryStore(t)
  return async (centres: readonly object[], more: Partial<ImportOptions> = {}) => {
    const input = Readable.from([JSON.stringify(centres)], { objectMode: false })
    const report = await importDataset({ store, dataset: recycling, source: 'centres', input, ...more })
    const current = await store.releases.current('recycling')
    assert.ok(current)
    const opened = await store.releases.open(current, recycling.layout)
    const times: Record<string, unknown> = {}
    for await (const { id, createdAt } of opened.records()) times[String(id)] = createdAt
    return { report, times }
  }
}

test('a source without times keeps those of known ids', async t => {
  const load = await setUp(t)
  await load([centre(ID, { createdAt: TIME })])
  const { report, times } = await load([centre(ID), centre(OTHER)], { now: () => new Date('2024-02-02') })
  assert.deepEqual(times, { [ID]: TIME, [OTHER]: '2024-02-02T00:00:00.000Z' })
  assert.deepEqual([report.changed, report.warned], [0, 0])
})

test('a known id keeps its time, with a warning, where the source has another; --force publishes that', async t => {
  const load = await setUp(t)
  await load([centre(ID, { createdAt: TIME }), centre(OTHER, { createdAt: TIME })])
  const later = [ID, OTHER].map(id =>
    centre(id, { createdAt: '2025-05-05T00:00:00.000Z', services: ['PAPER'] }),
  )
  const { report, times } = await load(later)
  assert.deepEqual(times, { [ID]: TIME, [OTHER]: TIME })
  assert.deepEqual(
    report.groups.warnings.map(({ column, count, values }) => [column, count, values]),
    [['createdAt', 2, ['2025-05-05T00:00:00.000Z']]],
  )
  assert.match(report.warnings[0]?.reason ?? '', /its id is known with, which is kept; --force publishes/)

  const forced = await load(later, { force: true })
  assert.deepEqual([forced.times[ID], forced.report.warned], ['2025-05-05T00:00:00.000Z', 0])
  const after = await load([centre(ID), centre(OTHER)])
  assert.equal(after.times[ID], '2025-05-05T00:00:00.000Z', 'what is served is what is known')
})

test('an id that comes back has the time that it had', async t => {
  const load = await setUp(t)
  await load([centre(ID, { createdAt: TIME }), centre(OTHER)])
  await load([centre(OTHER)], { force: true })
  const { times } = await load([centre(ID), centre(OTHER)])
  assert.equal(times[ID], TIME)
})
