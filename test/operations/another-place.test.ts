import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { emptyFolder } from '../support/folder.ts'
import { read } from '../support/markdown.ts'
import { pds } from '../support/pds.ts'
import { makeSite } from '../support/site.ts'

/* The island of the guide "Publish another place", with invented data. */

const GUIDE = read('docs/how-to/publish-another-place.md')
const [ISLAND = '', COASTLINE = ''] = [...GUIDE.matchAll(/```json\n([\s\S]*?)```/g)].map(
  ([, json = '']) => json,
)
const TOILETS = `name,parish,latitude,longitude,tenure
Harbour,Ramsey,54.32,-4.38,PUBLIC
Old harbour,Rhumsaa,54.33,-4.37,PUBLIC
Promenade,Douglas,54.15,-4.47,PUBLIC
Elsewhere,Douglas,49.19,-2.1,PUBLIC
`

async function writeIsland(folder: string, island: string, coastline = COASTLINE): Promise<void> {
  await writeFile(join(folder, 'island.json'), island)
  await writeFile(join(folder, 'coastline.geojson'), coastline)
}

test('the island of the guide is served with its own names, positions, outline and numbers', async t => {
  const site = await makeSite(t)
  await writeIsland(site.folder, ISLAND.replace('["999", "112"]', '["117"]'))
  await writeFile(join(site.folder, 'toilets.csv'), TOILETS)
  const environment = { ISLAND: 'island.json' }
  const { stdout, stderr } = await pds(site.folder, ['import', 'toilets', 'toilets.csv'], { environment })
  assert.match(stdout, /published release 1/, stderr)

  const serving = await site.serve(environment)
  const json = async (path: string) => JSON.parse((await serving.get(path)).text)
  const names = async (query: string) =>
    (await json(`/v1/toilets?${query}`)).results.map(({ name }: { name: string }) => name)
  assert.deepEqual(await names('parish=RHUMSAA'), ['Harbour', 'Old harbour'])
  // A position beyond the bounds is not published.
  assert.deepEqual(await names('near=54.15,-4.47'), ['Promenade', 'Harbour', 'Old harbour'])
  const refused = await json('/v1/toilets?parish=Trinity')
  assert.match(JSON.stringify(refused), /Douglas, Ramsey, Peel, Kirk Michael/)
  const { paths } = await json('/openapi.json')
  assert.match(JSON.stringify(paths['/v1/toilets']), /such as 54\.15,-4\.48/)

  const page = async (path: string) => (await serving.get(path)).text
  assert.match(await page('/emergency'), /href="tel:117"/)
  const map = await page('/map')
  assert.match(map, /<path class="island-ground" d="M[\d. L]+Z"/)
  assert.match(map, /Coastline drawn by hand/)
  assert.match(await page('/status'), /Isle of Man/)
  // The guide's file names one language besides English.
  const languages = (await page('/')).match(/<link rel="alternate" hreflang="[^"]*"/g)
  assert.deepEqual(
    languages?.map(link => link.match(/"([\w-]+)"$/)?.[1]),
    ['en', 'pl', 'x-default'],
  )
  assert.equal((await serving.get('/fr/')).status, 404)
  for (const path of ['/', '/map', '/emergency', '/status', '/vehicles', '/places/toilets'])
    assert.doesNotMatch((await page(path)).replaceAll(/InJersey/g, ''), /Jersey|Helier/, path)
})

/** What the guide's file gets after a change. */
async function refusalOf(
  t: TestContext,
  change: (island: Record<string, never>) => void,
  coastline?: string,
) {
  const folder = await emptyFolder(t)
  const island = JSON.parse(ISLAND)
  change(island)
  await writeIsland(folder, JSON.stringify(island), coastline)
  const { status, stdout, stderr } = await pds(folder, ['releases', 'toilets'], {
    environment: { ISLAND: 'island.json' },
  })
  assert.deepEqual([status, stdout], [2, ''])
  assert.match(stderr, /^error: ISLAND: island\.json[^\n]*\n$/)
  return stderr
}

const MISTAKES: readonly (readonly [RegExp, Record<string, unknown>, coastline?: string])[] = [
  [/\/name: is ""; allowed: text of 1 to 50 characters/, { name: '' }],
  [/\/timeZone: is "Europe\/Peel"; allowed: a time zone of the IANA database/, { timeZone: 'Europe/Peel' }],
  [/\/emergencyNumbers\/0: is "nine"; allowed: a telephone number/, { emergencyNumbers: ['nine'] }],
  [/\/bounds: south must be less than north/, { bounds: { south: 55, north: 54, west: -5, east: -4 } }],
  [/\/bounds\/west: is "-5"; allowed: degrees/, { bounds: { south: 53, north: 54, west: '-5', east: -4 } }],
  [/\/centre: must lie in the bounds/, { centre: { latitude: 49.2, longitude: -2.1 } }],
  [
    /\/parishes\/1: "peel" is a spelling of "Peel" already/,
    { parishes: [{ name: 'Peel' }, { name: 'peel' }] },
  ],
  [
    /\/publicHolidays\/everyYear\/0: needs one of on, firstMondayFrom and daysAfterEaster/,
    { publicHolidays: { everyYear: [{ name: 'Day' }] } },
  ],
  [/has "timezone", which is unknown; did you mean "timeZone"\?/, { timezone: 'UTC' }],
  [/\/languages\/0: is "français"; allowed: a code such as "fr"/, { languages: ['français'] }],
  [/lacks coastline/, { coastline: undefined }],
  [/no\.json cannot be read \(ENOENT\)/, { coastline: { file: 'no.json', attribution: 'nobody' } }],
  [/coastline\.geojson is not JSON/, {}, '{'],
  [/coastline\.geojson has no Polygon or MultiPolygon/, {}, '{"type":"Point","coordinates":[1,2]}'],
  [
    /coastline\.geojson has 1001 points; simplify it to 1000 at most/,
    {},
    JSON.stringify({ type: 'Polygon', coordinates: [Array.from({ length: 1001 }, () => [-4.5, 54])] }),
  ],
]

test('a slip in a fact is told in one line, with what is allowed', async t => {
  for (const [expected, change, coastline] of MISTAKES)
    assert.match(await refusalOf(t, island => Object.assign(island, change), coastline), expected)
  const folder = await emptyFolder(t)
  const missing = await pds(folder, ['serve'], { environment: { ISLAND: 'no.json' } })
  assert.equal(
    missing.stderr,
    'error: ISLAND: no.json: cannot be read (ENOENT); name a JSON file that is there\n',
  )
  await writeIsland(folder, JSON.stringify({ ...JSON.parse(ISLAND), languages: ['fr', 'xx'] }))
  const untranslated = await pds(folder, ['serve'], { environment: { ISLAND: 'island.json' } })
  assert.equal(
    untranslated.stderr.split('\n').at(-2),
    'error: ISLAND: island.json, /languages/1: is "xx"; allowed: en, fr, pl, pt',
  )
  await writeIsland(folder, ISLAND)
  const demo = await pds(folder, ['demo'], { environment: { ISLAND: 'island.json' } })
  assert.match(demo.stderr, /^error: the demo has an island of its own: unset ISLAND/)
})
