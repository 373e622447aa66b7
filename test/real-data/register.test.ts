import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { createGunzip } from 'node:zlib'
import { vehicles } from '../../src/datasets/vehicles/index.ts'
import { importDataset } from '../../src/releases/import/import.ts'
import { readReal, realDataMissing, realPath } from '../support/real-data.ts'
import { build, temporaryStore } from '../support/service.ts'
import { until } from '../support/until.ts'

const TABLE_ENGINE = 'vehicles/register-synthesised.csv.gz'

/** Counts a column by splitting lines at quotes and commas: as plain as can be, and nothing of ours. */
async function countsOf(column: number, blank?: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const lines = createInterface(createReadStream(realPath(TABLE_ENGINE)).pipe(createGunzip()))
  let header = true
  for await (const line of lines) {
    const cells = (line.match(/("([^"]|"")*"|[^,]*)(,|$)/g) ?? []).map(cell =>
      cell.replace(/,$/, '').replace(/^"|"$/g, ''),
    )
    const value = cells[column] || blank || ''
    if (!header) counts.set(value, (counts.get(value) ?? 0) + 1)
    header = false
  }
  return counts
}

test('the whole register imports, counts equal the file, and the pages hold every vehicle once', {
  skip: realDataMissing,
}, async t => {
  const { app, store, snapshots } = await build(t, {}, { environment: { VEHICLES_RATE_LIMIT: '0' } })
  const report = await importDataset({ store, dataset: vehicles, source: realPath(TABLE_ENGINE) })
  assert.equal(report.outcome, 'published', report.reason)
  assert.equal(report.accepted, 128_894)
  assert.equal(report.rejected, 0)
  await until(() => snapshots.get('vehicles'), 'the release')

  await t.test('counts by make and by colour', async () => {
    for (const [path, counts] of [
      ['/v1/vehicles/makes', await countsOf(0)],
      ['/v1/vehicles/stats/colors', await countsOf(2, 'Not Specified')],
    ] as const) {
      const answer = await app.inject(path)
      assert.deepEqual(new Map(Object.entries(answer.json().results)), counts)
    }
  })

  // I.D3 is one of those without: its dot is after a letter.
  await t.test('a dot before a digit counts: the register has both ID.3 and ID3', async () => {
    for (const [query, found] of [
      ['model=id.3', 32],
      ['model=ID.3+', 32],
      ['model=id3', 65],
    ] as const)
      assert.equal((await app.inject(`/v1/vehicles?${query}`)).json().pagination.totalItems, found, query)
  })

  await t.test('pages', async () => {
    const seen: string[] = []
    for (let page = 1; ; page++) {
      const { results, pagination } = (await app.inject(`/v1/vehicles?limit=1000&page=${page}`)).json()
      assert.equal(pagination.totalItems, 128_894)
      seen.push(...results.map((vehicle: object) => JSON.stringify(vehicle)))
      if (page >= pagination.totalPages) break
    }
    assert.equal(seen.length, 128_894)
    // No two lines of this file are the same, so no two vehicles are.
    assert.equal(new Set(seen).size, 128_894)
    const days = seen.map(vehicle => String(JSON.parse(vehicle).firstRegisteredInJerseyAt ?? ''))
    assert.deepEqual(days, [...days].sort().reverse())
  })
})

test('the two real vehicles have their two real hashes', { skip: realDataMissing }, async t => {
  const { seedApiVehicleRows, trueDatesRecoveredFromHash } = JSON.parse(
    await readReal('vehicles/vehicle-rows-real-samples.json'),
  )
  const rows = seedApiVehicleRows.map(({ hash, ...row }: { hash: string }, index: number) => ({
    ...row,
    ...trueDatesRecoveredFromHash[index],
  }))
  const { app } = await build(t, { vehicles: rows })
  const { results } = (await app.inject('/v1/vehicles')).json()
  assert.deepEqual(
    results.map((vehicle: { hash: string }) => vehicle.hash),
    seedApiVehicleRows.map((row: { hash: string }) => row.hash),
  )
})

/** Files about vehicles that are no register. */
const OTHERS = [
  ['vehicles-makes.csv', /is it the right file/],
  ['vehicles-models.csv', /no column for make/],
  ['vehicles-colors.csv', /no column for make/],
  ['registered-vehicles-per-year.json', /list of records/],
  ['vehicle-rows-real-samples.json', /list of records/],
] as const

for (const [file, reason] of OTHERS)
  test(`${file} is refused with the right reason`, { skip: realDataMissing }, async t => {
    const store = await temporaryStore(t)
    const report = await importDataset({ store, dataset: vehicles, source: realPath(`vehicles/${file}`) })
    assert.equal(report.outcome, 'refused')
    assert.match(report.reason ?? '', reason)
    assert.equal(await store.releases.current('vehicles'), undefined)
  })
