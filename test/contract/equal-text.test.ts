import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { DATASETS } from '../../src/datasets/index.ts'
import { importDataset } from '../../src/releases/import/import.ts'
import { listen } from '../support/raw-http.ts'
import { readReal, realDataMissing } from '../support/real-data.ts'
import { build, type TestApp, temporaryStore } from '../support/service.ts'
import { TABLE_KINDS } from '../support/store-engines.ts'
import { rowOf, sheetOf, workbookOf } from '../support/workbook.ts'

/* Text that looks equal is equal, whichever way it is asked for. */

const VEHICLES = `make,model,colour,fuel,cc
ROLLS ROYCE,Ghost,Blue,PETROL,1000
ROLLS\u00a0ROYCE,Wraith,Blue,PETROL,1001
ROLLS  ROYCE,Dawn,Blue,PETROL,1002
Rolls-Royce,Cullinan,Blue,PETROL,1003
FORD\u200b,KA,Blue,PETROL,1004
Ford,ID.3,Blue,PETROL,1005
Citroe\u0308n,C3,Blue,PETROL,1006
`
const PLACES = `location,parish,latitude,longitude
Town Hall,St Helier,49.1837,-2.1047
Library,St\u00a0Helier,49.1847,-2.1057
Mill,St. Helier,49.1857,-2.1067
Pier,Gro\u200buville,49.1999,-2.0231
`
/** How many vehicles each text finds. */
const ASKED: readonly [query: string, found: number][] = [
  ['make=ford%20', 2],
  ['make=%20FORD', 2],
  ['make=rolls%20%20royce', 4],
  ['make=rolls%C2%A0royce', 4],
  ['make=ro%E2%80%8Blls-royce+', 4],
  ['make=citro%C3%ABn', 1],
  ['make=citroe%CC%88n', 1],
  ['make=Rolls++Royce&match=exact', 4],
  ['fuelType=petrol%20', 7],
  ['q=rolls%C2%A0royce', 4],
  ['model=id3', 0],
  ['model=id.3', 1],
]
const PARISHES = ['st%20helier%20', 'St.%20%20Helier', 'ST%C2%A0HELIER', 'st%E2%80%8B-helier']

const report = async (t: Parameters<typeof temporaryStore>[0], dataset: string, content: string | Buffer) =>
  importDataset({
    store: await temporaryStore(t),
    dataset: DATASETS.find(({ name }) => name === dataset) ?? assert.fail(),
    source: `${dataset}.csv`,
    input: Readable.from([Buffer.from(content)]),
  })

const jsonOf = async (app: TestApp, url: string) => {
  const response = await app.inject(url)
  assert.equal(response.statusCode, 200, `${url}: ${response.body}`)
  return response.json()
}

for (const tableEngine of TABLE_KINDS)
  test(`vehicles from ${tableEngine} are found by texts that look equal`, async t => {
    const { app } = await build(t, { vehicles: VEHICLES }, { environment: { TABLE_ENGINE: tableEngine } })
    for (const [query, found] of ASKED) {
      const { pagination } = await jsonOf(app, `/v1/vehicles?${query}`)
      assert.equal(pagination.totalItems, found, query)
    }
    const { results } = await jsonOf(app, '/v1/vehicles/makes')
    // Runs of blanks stay, as fingerprints are made from them; what cannot be seen makes no make of its own.
    assert.deepEqual(results, {
      ...{ 'ROLLS ROYCE': 2, Citroën: 1, FORD: 1, Ford: 1, 'ROLLS  ROYCE': 1, 'Rolls-Royce': 1 },
    })
  })

test('the page of vehicles, agents, layers and the map find what looks equal', async t => {
  const { app } = await build(t, { vehicles: VEHICLES, defibrillators: PLACES })
  const { body } = await app.inject('/vehicles?make=rolls++royce+')
  assert.match(body, /<h2 id="total">4 vehicles</)
  for (const parish of PARISHES) {
    assert.equal((await jsonOf(app, `/v1/defibrillators?parish=${parish}`)).results.length, 3, parish)
    assert.equal((await jsonOf(app, `/v1/places?parish=${parish}`)).results.length, 3, parish)
    const layer = await jsonOf(app, `/ogc/collections/defibrillators/items?parish=${parish}`)
    assert.equal(layer.numberMatched, 3, parish)
    const map = (await app.inject(`/map?parish=${parish}`)).body
    assert.ok(map.includes('Town Hall') && map.includes('Library') && !map.includes('Pier'), parish)
  }
  const client = new Client({ name: 'test', version: '1' })
  const port = await listen(app)
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)))
  t.after(() => client.close())
  const call = async (name: string, sent: object) =>
    (await client.callTool({ name, arguments: { ...sent } })).structuredContent as Record<string, unknown>
  assert.equal((await call('search_vehicles', { make: 'rolls  royce ' })).count, 4)
  const { results } = await call('find_places', { parish: 'st\u00a0 helier ' })
  assert.equal((results as unknown[]).length, 3)
})

test('an import says once how many texts had no-break blanks or invisible characters', async t => {
  const { outcome, warned, groups } = await report(t, 'defibrillators', PLACES)
  assert.deepEqual([outcome, warned], ['published', 2])
  assert.deepEqual(groups.warnings, [
    {
      column: 'parish',
      reason: 'has no-break blanks (published as blanks) or invisible characters (left out)',
      count: 2,
      lines: [3, 5],
      values: ['St\u00a0Helier', 'Gro\u200buville'],
    },
  ])
})

test('places of the same name that differ in what cannot be seen have one natural key', async t => {
  const twice = await report(
    t,
    'defibrillators',
    'location,parish,latitude,longitude\nTown Hall,St Helier,49.18,-2.10\nTown\u00a0 Hall\u200b,St Helier,49.18,-2.10\n',
  )
  assert.match(JSON.stringify(twice.groups.warnings), /names 2 records/)
})

test('a rejected value is named with its row and column, and with what to write', async t => {
  const header = 'location,parish,latitude,longitude\n'
  for (const [row, column, reason] of [
    [
      'Town Hall;St Helier;"49,18";-2.1',
      'latitude',
      'must be a number in plain decimal digits: a point, not a comma, before decimals, and nothing between thousands',
    ],
    ['Town Hall;N/A;49.18;-2.1', 'parish', 'stands for "no value", but this field must have one'],
    [
      'Town Hall;St Helier;NULL;-2.1',
      'latitude',
      'must be a number in plain decimal digits; leave the cell empty where there is no value',
    ],
  ] as const) {
    const { outcome, rejections } = await report(
      t,
      'defibrillators',
      `${header.replaceAll(',', ';')}${row}\n`,
    )
    assert.equal(outcome, 'refused')
    assert.deepEqual(
      rejections.map(({ line, column, reason }) => [line, column, reason]),
      [[2, column, reason]],
    )
  }
})

test('small files of everyday faults are published as they are meant, or named', {
  skip: realDataMissing,
}, async t => {
  const read = (name: string) => readReal(`bad-files/${name}`)
  const { app } = await build(t, {
    vehicles: await read('07-nbsp.csv'),
    defibrillators: await read('07-nbsp-parish.csv'),
    toilets: '[]',
  })
  assert.equal((await jsonOf(app, '/v1/vehicles?make=land+rover')).pagination.totalItems, 3)
  const { results: makes } = await jsonOf(app, '/v1/vehicles/makes')
  assert.deepEqual(makes, { 'LAND ROVER': 2, FORD: 1, 'LAND  ROVER': 1 })
  const { results } = await jsonOf(app, '/v1/defibrillators/stats?by=parish')
  assert.deepEqual(results, [{ parish: 'St Helier', count: 2 }])

  const nulls = await report(t, 'defibrillators', await read('23-null-word.csv'))
  assert.deepEqual([nulls.outcome, nulls.warned, nulls.warnings[0]?.column], ['published', 1, 'notes'])
  const comma = await report(t, 'defibrillators', await read('24-decimal-comma.csv'))
  assert.equal(comma.outcome, 'refused')
  assert.equal(comma.rejections[0]?.column, 'Latitude')
  assert.match(comma.rejections[0]?.reason ?? '', /a point, not a comma/)
})

test('a formula without a stored result rejects its row, unless no field takes the column', async t => {
  const cell = (inner: string) => `<c t="inlineStr"><is><t>${inner}</t></is></c>`
  const rows = (latitude: string, total: string) =>
    workbookOf(
      sheetOf(
        rowOf('location', 'parish', 'latitude', 'longitude', 'total'),
        `<row>${cell('Pier')}${cell('Trinity')}<c r="C2">${latitude}</c><c><v>-2.1</v></c><c>${total}</c></row>`,
      ),
    )
  const lost = await report(t, 'defibrillators', rows('<f>49+0.2</f>', '<v>1</v>'))
  assert.equal(lost.outcome, 'refused')
  assert.deepEqual(lost.rejections, [
    {
      line: 2,
      column: 'latitude',
      value: null,
      reason:
        'cell C2 has a formula without a stored result; open the workbook in a spreadsheet program and save it',
    },
  ])
  const unread = await report(t, 'defibrillators', rows('<f>49+0.2</f><v>49.2</v>', '<f>SUM(1)</f>'))
  assert.deepEqual([unread.outcome, unread.ignoredColumns], ['published', ['total']])
})

test('a code that a spreadsheet took for a number gets its digits back, or rejects its row', async t => {
  const list = (code: string) =>
    `name,payByPhoneCode,type,surfaceType,spaces,disabledSpaces,parentChildSpaces,electricChargingSpaces\nPier Road,${code},LONG_STAY,TARMAC,9,0,0,0\n`
  for (const code of ['5011.0', '5.011E+03']) {
    const { app } = await build(t, { carparks: list(code) })
    assert.equal((await jsonOf(app, '/v1/carparks')).results[0].payByPhoneCode, '5011')
  }
  const rounded = await report(t, 'carparks', list('5.98E+04'))
  assert.equal(rounded.outcome, 'refused')
  assert.deepEqual(
    rounded.rejections.map(({ line, column, value, reason }) => [line, column, value, reason]),
    [
      [
        ...[2, 'payByPhoneCode', '5.98E+04'],
        'is a code that a spreadsheet wrote as a number, without all of its digits; format the column as text and write the code again',
      ],
    ],
  )
})

test('a calendar date is the day that is written, whatever offset follows', async t => {
  const { app } = await build(t, {
    vehicles: [{ make: 'Ford', model: 'KA', firstRegisteredAt: '2024-07-01T00:00:00+01:00' }],
  })
  const { results } = await jsonOf(app, '/v1/vehicles')
  assert.equal(results[0].firstRegisteredAt, '2024-07-01T00:00:00.000Z')
})
