import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { emptyFolder } from '../../support/folder.ts'
import { pds, startPds } from '../../support/pds.ts'

const TOILETS = [
  {
    name: 'Harbour "old" toilets, east',
    parish: 'St. Helier',
    latitude: 49.18,
    longitude: -2.11,
    owner: { id: null, name: 'Ports' },
    facilities: ['DISABLED', 'BABY_CHANGING'],
    female: { cubicles: 3, handDryers: null, sinks: 2, periodProducts: ['PADS'] },
    male: null,
  },
  { name: 'Hill', parish: 'Trinity', latitude: null, longitude: null, facilities: [] },
]

const VEHICLES = [
  'make,model,color,fuelType,firstRegisteredInJerseyAt',
  ...Array.from(
    { length: 20_000 },
    (_, index) => `Lancia,Model ${index % 7},Grey,PETROL,11/03/20${10 + (index % 14)}`,
  ),
].join('\n')

const CENTRES = [
  {
    location: 'Hall, "old"',
    parish: 'Grouville',
    services: ['GLASS', 'PAPER'],
    latitude: 49.19,
    longitude: -2.04,
  },
  { location: 'Harbour', parish: 'St. Aubin', services: [], latitude: null, longitude: null },
]

const UNSTATED = 'Publisher: not stated. Licence: not stated.\n'

for (const [dataset, format, records] of [
  ['toilets', 'json', TOILETS],
  ['toilets', 'csv', TOILETS],
  ['recycling', 'csv', CENTRES],
] as const)
  test(`${dataset} exported as ${format} import again without making a new release`, async t => {
    const folder = await emptyFolder(t)
    await pds(folder, ['import', dataset, '-'], { input: JSON.stringify(records) })
    const { status, stdout, stderr } = await pds(folder, ['export', dataset, '--format', format])
    assert.equal(status, 0)
    assert.equal(stderr, UNSTATED)
    const again = await pds(folder, ['import', dataset, '-'], { input: stdout })
    assert.match(again.stdout, /no new release: release 1 holds the same records/)
  })

test('--bom marks CSV, which imports as before, and nothing else', async t => {
  const folder = await emptyFolder(t)
  await pds(folder, ['import', 'toilets', '-'], { input: JSON.stringify(TOILETS) })
  const plain = await pds(folder, ['export', 'toilets', '--format', 'csv'])
  const marked = await buffer(startPds(folder, ['export', 'toilets', '--format', 'csv', '--bom']).stdout)
  assert.equal(marked.toString(), `\ufeff${plain.stdout}`)
  const again = await pds(folder, ['import', 'toilets', '-'], { input: marked.toString() })
  assert.match(again.stdout, /no new release: release 1 holds the same records/)
  const refused = await pds(folder, ['export', 'toilets', '--format', 'parquet', '--bom'])
  assert.deepEqual([refused.status, refused.stdout], [2, ''])
  assert.match(refused.stderr, /parquet takes no byte order mark; --bom is for CSV/)
})

test('JSON is the form of the API, NDJSON a record a line, GeoJSON a feature each', async t => {
  const folder = await emptyFolder(t)
  await pds(folder, ['import', 'toilets', '-'], { input: JSON.stringify(TOILETS) })
  const written = async (format: string) =>
    (await pds(folder, ['export', 'toilets', '--format', format])).stdout
  const { results } = JSON.parse(await written('json'))
  assert.deepEqual(
    results.map((toilet: { name: string }) => toilet.name),
    TOILETS.map(toilet => toilet.name),
  )
  const lines = (await written('ndjson')).trimEnd().split('\n')
  assert.deepEqual(
    lines.map(line => JSON.parse(line)),
    results,
  )
  const { features } = JSON.parse(await written('geojson'))
  assert.deepEqual(
    features.map((feature: { geometry: unknown }) => feature.geometry),
    [{ type: 'Point', coordinates: [-2.11, 49.18] }, null],
  )
})

test('publisher and licence are said on standard error, and are in no file', async t => {
  const folder = await emptyFolder(t)
  await pds(folder, ['import', 'toilets', '-'], { input: JSON.stringify(TOILETS) })
  const unstated = await pds(folder, ['export', 'toilets'])
  const metadata = { publisher: 'The parish', licence: 'Licence 1', licenceUrl: 'https://parish.example/1' }
  await writeFile(join(folder, 'metadata.json'), JSON.stringify(metadata))
  const environment = { METADATA: 'metadata.json' }
  const stated = await pds(folder, ['export', 'toilets'], { environment })
  assert.equal(stated.stderr, 'Publisher: The parish. Licence: Licence 1 (https://parish.example/1).\n')
  assert.equal(stated.stdout, unstated.stdout)
})

test('a kept release is exported by its number; the error for another lists those that are kept', async t => {
  const folder = await emptyFolder(t)
  for (const records of [TOILETS.slice(0, 1), TOILETS])
    await pds(folder, ['import', 'toilets', '-'], { input: JSON.stringify(records) })
  const { stdout } = await pds(folder, ['export', 'toilets', '--release', '1'])
  assert.equal(JSON.parse(stdout).results.length, 1)
  const refused = await pds(folder, ['export', 'toilets', '--release', '3'])
  assert.deepEqual(
    [refused.status, refused.stdout, refused.stderr],
    [1, '', 'error: no release 3 of toilets is kept; kept: 2, 1\n'],
  )
})

test('a dataset without a release is refused', async t => {
  const folder = await emptyFolder(t)
  await pds(folder, ['import', 'recycling', '-'], { input: JSON.stringify(CENTRES) })
  const { status, stdout, stderr } = await pds(folder, ['export', 'toilets'])
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /^error: toilets has no release: /)
})

test('a reader that closes the pipe ends the export silently', async t => {
  const folder = await emptyFolder(t)
  const imported = await pds(folder, ['import', 'vehicles', '-', '--json'], { input: VEHICLES })
  assert.equal(JSON.parse(imported.stdout).accepted, 20_000)
  const child = startPds(folder, ['export', 'vehicles', '--format', 'csv'])
  const said = text(child.stderr)
  const [chunk] = await once(child.stdout, 'data')
  assert.match(String(chunk), /^make,model,color,/)
  child.stdout.destroy()
  const [status] = await once(child, 'close')
  assert.deepEqual([status, await said], [0, UNSTATED])
})

const REAL = fileURLToPath(new URL('../../../../shared/data/carparks/carparks.json', import.meta.url))

test('the real car parks come back from an export as the same release', {
  skip: existsSync(REAL) ? false : 'needs ../shared/data beside the project',
}, async t => {
  const folder = await emptyFolder(t)
  assert.equal((await pds(folder, ['import', 'carparks', REAL])).status, 0)
  const { stdout } = await pds(folder, ['export', 'carparks'])
  assert.equal(JSON.parse(stdout).results.length, 79)
  const again = await pds(folder, ['import', 'carparks', '-'], { input: stdout })
  assert.match(again.stdout, /no new release: release 1 holds the same records/)
})
