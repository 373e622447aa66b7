import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pds } from '../support/pds.ts'
import { makeSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const HEADER = 'dataset,id,field,value,until,why'
const STATION = '02473b95-fcae-4ab5-954a-81c4dd19df62'
const DEFIBRILLATORS = JSON.stringify([
  { id: STATION, location: 'Fire Station', parish: 'St. Brelade', latitude: null, longitude: null },
  {
    id: '0e8a15c1-592c-4326-9972-c2b72a5df2b9',
    location: 'Market',
    parish: 'St. Helier',
    latitude: 49.18754,
    longitude: -2.10688,
  },
])
const CORRECTIONS = `${HEADER}
defibrillators,${STATION},latitude,49.1951,2999-12-31,Seen by us
defibrillators,${STATION},longitude,-2.2012,2999-12-31,Seen by us
defibrillators,0e8a15c1-592c-4326-9972-c2b72a5df2b9,location,Market,,The same
defibrillators,0e8a15c1-592c-4326-9972-c2b72a5df2b9,notes,Upstairs,2001-01-31,Old
defibrillators,none,notes,Upstairs,,Gone
`

test('a corrected position is told by the report, found by its position, and explained on its page and in the API', async t => {
  const site = await makeSite(t)
  const environment = { CORRECTIONS: 'corrections.csv' }
  const run = (...words: string[]) => pds(site.folder, words, { environment })
  await writeFile(join(site.folder, 'list.json'), DEFIBRILLATORS)
  await writeFile(join(site.folder, 'corrections.csv'), CORRECTIONS)
  const { stdout } = await run('import', 'defibrillators', 'list.json')
  assert.match(stdout, /^ {2}Fire Station {2}latitude {3}until 2999-12-31 {2}Seen by us$/m)
  for (const note of ['is no longer needed', 'ended on 2001-01-31', 'has no record with this id'])
    assert.ok(stdout.includes(note), note)
  assert.match((await run('import', 'defibrillators', 'list.json')).stdout, /no new release/)
  assert.match((await run('diff', 'defibrillators', 'list.json')).stdout, /no differences|the same/i)

  const serving = await site.serve(environment)
  const json = async (path: string) => JSON.parse((await serving.get(path)).text)
  const list = '/v1/defibrillators'
  const { results } = await json(`${list}?near=49.195,-2.2&limit=1&fields=location&include=provenance`)
  const why = 'Seen by us'
  const corrected = [
    { field: 'latitude', until: '2999-12-31', why },
    { field: 'longitude', until: '2999-12-31', why },
  ]
  const provenance = { corrected, heldBack: [], missing: ['padNumber', 'notes'] }
  const ofLocation = { ...provenance, missing: [] }
  assert.deepEqual(results, [{ location: 'Fire Station', distanceMetres: 88, provenance: ofLocation }])
  const { provenance: told, ...plain } = await json(`${list}/${STATION}?include=provenance`)
  assert.deepEqual(told, provenance)
  assert.deepEqual(await json(`${list}/${STATION}`), plain)
  assert.deepEqual((await json('/v1/datasets/defibrillators')).warnings[0].ids, [STATION])
  assert.match(
    (await serving.get(`/places/defibrillators/${STATION}`)).text,
    /corrected this entry: <span>Seen by us/,
  )
  for (const refused of [`${list}?include=source`, `${list}.csv?include=provenance`])
    assert.equal((await serving.get(refused)).status, 400, refused)

  // Without the file, the next import publishes what the list says.
  await pds(site.folder, ['import', 'defibrillators', 'list.json'])
  const isBack = async () => (await json(`${list}?bbox=-2.21,49.19,-2.2,49.2`)).results.length === 0
  await until(isBack, 'the position of the list')
})

const MISTAKES: readonly (readonly [line: string, expected: RegExp])[] = [
  ['toilet,a,name,A,,b', /dataset is "toilet"; allowed: carparks, toilets/],
  ['vehicles,a,make,A,,b', /dataset is "vehicles"; allowed: carparks, toilets/],
  ['toilets,,name,A,,b', /id is ""; allowed: the id of a record/],
  ['toilets,a,nme,A,,b', /field is "nme" \(did you mean "name"\?\); allowed: name, parish/],
  ['toilets,a,createdAt,2020-01-01,,b', /field is "createdAt"; allowed: name, parish/],
  ['toilets,a,latitude,north,,b', /value is "north"; allowed: a value of latitude, which must be a number/],
  ['toilets,a,name,A,31/12/2026,b', /until is "31\/12\/2026"; allowed: a date such as/],
  ['toilets,a,name,A,2026-02-30,b', /until is "2026-02-30"; allowed: a date such as/],
  ['toilets,a,name,A,,', /why is ""; allowed: a reason/],
  ['toilets,a,latitude,49.2,,b', /latitude of a needs a line for longitude with the same day in until/],
  [
    'toilets,a,latitude,49.2,,b\ntoilets,a,longitude,-2.1,2030-01-31,b',
    /latitude of a needs a line for longitude with the same day in until/,
  ],
  ['toilets,a,name,A,,b\ntoilets,a,name,B,,b', /line 3: name of a has a correction already; allowed: one/],
]

test('a slip in a correction is told in one line, with its place and what is allowed', async t => {
  const { folder, store } = await makeSite(t)
  await writeFile(join(folder, 'list.json'), DEFIBRILLATORS)
  const refusalOf = async (content: string) => {
    await writeFile(join(folder, 'corrections.csv'), content)
    const environment = { CORRECTIONS: 'corrections.csv' }
    const { status, stderr } = await pds(folder, ['import', 'defibrillators', 'list.json'], { environment })
    assert.equal(status, 2)
    assert.match(stderr, /^error: CORRECTIONS: corrections\.csv[^\n]*\n$/)
    return stderr
  }
  for (const [line, expected] of MISTAKES) assert.match(await refusalOf(`${HEADER}\n${line}\n`), expected)
  assert.match(await refusalOf('id,field\n'), /its header must be dataset,id,field,value,until,why/)
  assert.match(await refusalOf(`${HEADER}\ntoilets,a\n`), /Invalid Record Length/)
  const missing = await pds(folder, ['serve'], { environment: { CORRECTIONS: 'no.csv' } })
  assert.equal(
    missing.stderr,
    'error: CORRECTIONS: no.csv: cannot be read (ENOENT); name a CSV file that is there\n',
  )
  assert.equal(await store.releases.current('defibrillators'), undefined)
})
