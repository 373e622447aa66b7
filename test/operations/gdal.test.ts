import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'csv-parse/sync'
import { CARPARKS, DEFIBRILLATORS, TOILETS } from '../support/island.ts'
import { installedProgram } from '../support/programs.ts'
import { makeSite } from '../support/site.ts'

/*
 * Geographic information systems open the service by GDAL, as QGIS does for other formats: its programs read every
 * collection, page by page, and nothing is lost on the way.
 */

const OGRINFO = installedProgram('ogrinfo')
const OGR2OGR = installedProgram('ogr2ogr')
const NO_GDAL =
  (OGRINFO === undefined || OGR2OGR === undefined) && 'GDAL is not installed: apt-get install gdal-bin'

const execute = promisify(execFile)

/** Names with what formats and pages may lose, one of them without a position. */
const PLACES = [
  'Les Écréhous',
  '"Quoted", with a comma',
  '=1+1',
  'Grève d’Azette',
  'Nowhere',
  'Œuvre',
  'São João',
]
const RECYCLING = PLACES.map((location, index) => ({
  id: `9b2d4f7c-1e3a-4c5b-8d7e-5a4b3c2d1e0${index}`,
  createdAt: '2024-07-02T13:01:56.000Z',
  location,
  parish: index % 2 === 0 ? 'St. Helier' : 'Grouville',
  latitude: location === 'Nowhere' ? null : 49.18 + index / 100,
  longitude: location === 'Nowhere' ? null : -2.04 - index / 100,
  notes: null,
  services: ['GLASS', 'PAPER'],
}))

const PUBLISHED = {
  recycling: RECYCLING,
  toilets: TOILETS,
  carparks: CARPARKS,
  defibrillators: DEFIBRILLATORS,
}

test('GDAL opens the service and copies every collection whole', { skip: NO_GDAL }, async t => {
  const site = await makeSite(t)
  for (const [name, records] of Object.entries(PUBLISHED)) await site.publish(name, records)
  const serving = await site.serve({ PAGE_LIMIT_MAX: '2' })
  const address = `OAPIF:${serving.url}/ogc`

  async function copied(name: string, options: readonly string[] = []): Promise<Record<string, string>[]> {
    const file = join(site.folder, `${name}-${options.length}.csv`)
    const words = ['-f', 'CSV', '-lco', 'GEOMETRY=AS_XY', ...options, file, address, name]
    await execute(OGR2OGR as string, words)
    return parse(await readFile(file, 'utf8'), { columns: true })
  }
  const sorted = (texts: readonly string[]) => [...texts].sort()

  await t.test('ogrinfo lists the collections as layers of points', async () => {
    const { stdout } = await execute(OGRINFO as string, ['-ro', address])
    for (const name of Object.keys(PUBLISHED))
      assert.match(stdout, new RegExp(`^\\d: ${name} .*\\(Point\\)$`, 'm'))
  })

  await t.test('ogr2ogr copies every record of each, with its attributes and its position', async () => {
    for (const [name, records] of Object.entries(PUBLISHED)) {
      const rows = await copied(name)
      assert.deepEqual(sorted(rows.map(({ id = '' }) => id)), sorted(records.map(({ id }) => id)), name)
      for (const row of rows) {
        const record = records.find(({ id }) => id === row.id)
        assert.ok(record !== undefined)
        const { latitude, longitude } = record
        assert.deepEqual(
          [row.X, row.Y].map(degrees => (degrees === '' ? null : Number(degrees))),
          [longitude, latitude],
        )
        const text = 'location' in record ? record.location : record.name
        assert.equal('location' in record ? row.location : row.name, text)
      }
    }
  })

  await t.test('a list as GeoJSON opens by its address, although GDAL accepts only JSON of it', async () => {
    for (const form of ['.geojson', '?format=geojson']) {
      const { stdout } = await execute(OGRINFO as string, [
        '-ro',
        '-so',
        '-al',
        `${serving.url}/v1/recycling${form}`,
      ])
      assert.match(stdout, new RegExp(`^Feature Count: ${RECYCLING.length}$`, 'm'), form)
    }
  })

  await t.test('a spatial filter selects the positions in a box', async () => {
    const inside = RECYCLING.filter(({ latitude }) => latitude !== null && latitude < 49.205)
    assert.equal(inside.length, 3)
    const rows = await copied('recycling', ['-spat', '-2.2', '49', '-2', '49.205'])
    assert.deepEqual(
      sorted(rows.map(({ location = '' }) => location)),
      sorted(inside.map(({ location }) => location)),
    )
  })

  await t.test('a GeoPackage holds all collections', async () => {
    const file = join(site.folder, 'island.gpkg')
    await execute(OGR2OGR as string, ['-f', 'GPKG', file, address])
    for (const [name, records] of Object.entries(PUBLISHED)) {
      const { stdout } = await execute(OGRINFO as string, ['-ro', '-so', file, name])
      assert.match(stdout, new RegExp(`^Feature Count: ${records.length}$`, 'm'), name)
    }
  })
})
