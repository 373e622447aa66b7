import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { writeXlsx } from 'hucre'
import { DATASETS } from '../../src/datasets/index.ts'
import { type ImportOptions, importDataset } from '../../src/releases/import/import.ts'
import type { Store } from '../../src/store/store.ts'
import { temporaryStore } from '../support/service.ts'

/* Files as people have them: read right, or refused with what to do. */

const datasetNamed = (name: string) => DATASETS.find(dataset => dataset.name === name) ?? assert.fail(name)

async function setUp(t: TestContext) {
  const store = await temporaryStore(t)
  const load = (name: string, content: string | Uint8Array, more: Partial<ImportOptions> = {}) =>
    importDataset({
      ...{ store, dataset: datasetNamed(name), others: DATASETS, source: 'list', ...more },
      input: Readable.from([Buffer.from(content)], { objectMode: false }),
    })
  return { store, load }
}

async function published(store: Store, name: string): Promise<Record<string, unknown>[]> {
  const release = (await store.releases.current(name)) ?? assert.fail('nothing was published')
  const open = await store.releases.open(release, datasetNamed(name).layout)
  const records: Record<string, unknown>[] = []
  for await (const record of open.records()) records.push({ ...record })
  return records
}

/** The only position that a list of one defibrillator has, with the columns that gave it. */
async function positionIn(t: TestContext, text: string, more: Partial<ImportOptions> = {}) {
  const { store, load } = await setUp(t)
  const report = await load('defibrillators', text, more)
  assert.equal(report.outcome, 'published', report.reason)
  const [{ latitude, longitude } = {}] = await published(store, 'defibrillators')
  return { at: [latitude, longitude], recognised: report.recognisedColumns, ignored: report.ignoredColumns }
}

const workbook = async (sheets: Parameters<typeof writeXlsx>[0]['sheets']) =>
  Buffer.from(await writeXlsx({ sheets }))

const RECORD = ['Town Hall', 'St Helier', 49.18, -2.1] as const
const HEADER = ['location', 'parish', 'latitude', 'longitude'] as const

test('positions are read from columns of any usual name', async t => {
  for (const [latitude, longitude] of [
    ['Lat', 'Long'],
    ['LAT', 'lng'],
    ['lat', 'Lon'],
    ['Latitude (WGS84)', 'Longitude (WGS84)'],
    ['WGS84 Latitude', 'Decimal longitude'],
    ['Y', 'X'],
    ['POINT_Y', 'POINT_X'],
    ['Northing', 'Easting'],
  ]) {
    const { at, recognised } = await positionIn(
      t,
      `Location,Parish,${latitude},${longitude}\nTown Hall,St Helier,49.18,-2.10\n`,
    )
    assert.deepEqual(at, [49.18, -2.1], `${latitude}, ${longitude}`)
    assert.deepEqual(
      recognised
        .slice(2)
        .map(({ column, field }) => [column, field])
        .sort(),
      [
        [latitude, 'latitude'],
        [longitude, 'longitude'],
      ].sort(),
    )
  }
})

test('positions are read from one column or member that has both parts', async t => {
  for (const [name, value] of [
    ['geo_point_2d', '"49.18, -2.10"'],
    ['Lat/Long', '"49.18,-2.10"'],
    ['WKT', 'POINT (-2.10 49.18)'],
    ['the_geom', 'SRID=4326;POINT Z(-2.10 49.18 12)'],
  ]) {
    const { at, recognised } = await positionIn(t, `location,parish,${name}\nTown Hall,St Helier,${value}\n`)
    assert.deepEqual(at, [49.18, -2.1], name)
    assert.deepEqual(recognised.slice(2), [
      { column: name, field: 'latitude' },
      { column: name, field: 'longitude' },
    ])
  }
  for (const value of [
    { lat: 49.18, lon: -2.1 },
    { latitude: '49.18', longitude: '-2.10' },
    [49.18, -2.1],
    { type: 'Point', coordinates: [-2.1, 49.18] },
    'POINT(-2.10 49.18)',
  ]) {
    const text = JSON.stringify([{ location: 'Town Hall', parish: 'St Helier', geo_point_2d: value }])
    assert.deepEqual((await positionIn(t, text)).at, [49.18, -2.1], text)
  }
  const text = 'location,parish,Where\nTown Hall,St Helier,"49.18, -2.10"\n'
  assert.deepEqual((await positionIn(t, text, { map: { Where: 'position' } })).at, [49.18, -2.1])
})

test('a surer column of a position comes first, and the others are named', async t => {
  const { at, ignored } = await positionIn(
    t,
    'location,parish,X,Y,Lat,Long\nTown Hall,St Helier,41823,65432,49.18,-2.10\n',
  )
  assert.deepEqual(
    [at, ignored],
    [
      [49.18, -2.1],
      ['X', 'Y'],
    ],
  )
})

test('a column X without a Y is no position', async t => {
  const { ignored } = await positionIn(
    t,
    'location,parish,latitude,longitude,X\nTown Hall,St Helier,49.18,-2.10,yes\n',
  )
  assert.deepEqual(ignored, ['X'])
})

test('headings have their words in any order and case', async t => {
  const { store, load } = await setUp(t)
  const report = await load(
    'vehicles',
    'make,model,colour,fuel type,cc,date first registered,reg in jersey\nFord,KA,Red,Petrol,1000,01/02/2024,01/03/2024\n',
  )
  assert.equal(report.outcome, 'published', report.reason)
  assert.deepEqual(report.ignoredColumns, [])
  const [vehicle] = await published(store, 'vehicles')
  assert.equal(vehicle?.firstRegisteredAt, '2024-02-01T00:00:00.000Z')
  assert.equal(vehicle?.firstRegisteredInJerseyAt, '2024-03-01T00:00:00.000Z')
})

test('a field that the dataset is about is not lost while a column of the source is not read', async t => {
  const { load } = await setUp(t)
  const text = 'location,parish,Breite,Remarks,Laenge\nTown Hall,St Helier,49.18,x,-2.10\n'
  const refused = await load('defibrillators', text)
  assert.equal(
    refused.reason,
    'missing-field: no record has latitude, longitude, but no field takes the columns "Breite", "Remarks", "Laenge": ' +
      'assign them, as by --map "Breite=latitude" --map "Laenge=longitude"; ' +
      'if that is right, use --accept missing-field, or --force for all checks',
  )
  const vehicles = 'make,model,entered\nFord,KA,01/02/2024\n'
  assert.match(
    (await load('vehicles', vehicles)).reason ?? '',
    /^missing-field: no record has firstRegisteredAt, firstRegisteredInJerseyAt, .*"entered": .*--map "entered=firstRegisteredAt" --map "HEADER=firstRegisteredInJerseyAt";/,
  )
  const spread = 'location,parish,latitude,longitude,Where\nTown Hall,St Helier,,,POINT(-2.1 49.18)\n'
  assert.match((await load('defibrillators', spread)).reason ?? '', /as by --map "Where=position"; if/)
  assert.equal((await load('defibrillators', text, { accept: ['missing-field'] })).outcome, 'published')
  const mapped = { map: { Breite: 'latitude', Laenge: 'longitude' } }
  assert.equal((await load('defibrillators', text, mapped)).outcome, 'published')
})

test('an empty column and one that is ignored do not hold a field', async t => {
  const { load } = await setUp(t)
  assert.equal((await load('defibrillators', 'location,parish,Other\nA,St Helier,\n')).outcome, 'published')
  const ignoring = { map: { Other: null } }
  const report = await load('defibrillators', 'location,parish,Other\nB,St Helier,x\n', {
    ...ignoring,
    accept: ['renamed-records', 'replaced-ids'],
  })
  assert.equal(report.outcome, 'published', report.reason)
})

test('a first release that has a field in fewer than half of its records gets a warning', async t => {
  const { load } = await setUp(t)
  const rows = ['A', 'B', 'C'].map((name, at) => `${name},St Helier,${at === 0 ? '49.18,-2.1' : ','},x\n`)
  const report = await load('defibrillators', `location,parish,latitude,longitude,Grid\n${rows.join('')}`)
  assert.equal(report.outcome, 'published')
  assert.deepEqual(
    report.warnings.map(({ reason }) => reason),
    [
      'fewer than half of the records have latitude, longitude, but no field takes the columns "Grid": assign them, as by --map "HEADER=latitude" --map "HEADER=longitude"',
    ],
  )
})

test('a column for each service is read, and a value that is no mark is rejected', async t => {
  const { store, load } = await setUp(t)
  const header = 'location,parish,latitude,longitude,Glass,Paper,Plastic bottles,Batteries'
  const report = await load('recycling', `${header}\nA,Trinity,49.2,-2.1,Y,no,x,\nB,Trinity,49.21,-2.1,,,,\n`)
  assert.equal(report.outcome, 'published', report.reason)
  assert.ok(
    report.recognisedColumns.some(({ column, field }) => column === 'Glass' && field === 'services.GLASS'),
  )
  const services = (await published(store, 'recycling')).map(one => one.services)
  assert.deepEqual(services, [['GLASS', 'PLASTIC_BOTTLES'], []])
  const bad = await load('recycling', `${header}\nA,Trinity,49.2,-2.1,weekdays,no,x,\n`)
  assert.deepEqual(
    bad.rejections.map(({ column, value, reason }) => [column, value, reason]),
    [['services.GLASS', 'weekdays', 'must be true or false (yes, no, y, n, x, 1 and 0 are understood too)']],
  )
  const listed = await load(
    'recycling',
    'location,parish,latitude,longitude,Glass,services\nA,Trinity,49.2,-2.1,Y,PAPER\n',
    { accept: ['row-count', 'emptied-fields'] },
  )
  assert.deepEqual([listed.outcome, listed.ignoredColumns], ['published', ['Glass']])
})

test('eastings and northings are rejected with how to convert them', async t => {
  const { load } = await setUp(t)
  for (const names of ['Easting,Northing', 'X,Y', 'longitude,latitude']) {
    const report = await load(
      'defibrillators',
      `location,parish,${names}\nTown Hall,St Helier,41823.5,65432\n`,
    )
    assert.equal(report.outcome, 'refused')
    assert.deepEqual(report.rejections.map(({ column }) => column).sort(), names.split(',').sort())
    for (const { reason } of report.rejections)
      assert.match(reason, /^is no degree, .* convert eastings and northings to WGS 84/)
  }
})

test('latitudes and longitudes in each other’s place are refused', async t => {
  const { load } = await setUp(t)
  const swapped =
    'location,parish,latitude,longitude\nA,Trinity,-2.1,49.2\nB,Trinity,-2.2,49.21\nC,Trinity,,\n'
  const refused = await load('defibrillators', swapped)
  assert.match(
    refused.reason ?? '',
    /^swapped-positions: all 2 positions are on the island only with latitude and longitude swapped: correct/,
  )
  const right = await load('defibrillators', swapped, {
    map: { latitude: 'longitude', longitude: 'latitude' },
  })
  assert.equal(right.outcome, 'published', right.reason)
  const mixed = `${swapped}D,Trinity,49.2,-2.15\n`
  assert.equal((await load('toilets', mixed.replace('location', 'name'))).outcome, 'published')
})

test('all that is wrong with a row is said at once', async t => {
  const { load } = await setUp(t)
  const report = await load(
    'defibrillators',
    'location,parish,padNumber,latitude,longitude\n,St Helier,none at all,north,999\nB,St Helier,7,49.18,-2.1\n',
  )
  assert.deepEqual([report.rejected, report.read], [1, 2])
  assert.deepEqual(
    report.rejections.map(({ line, column }) => [line, column]),
    ['location', 'padNumber', 'latitude', 'longitude'].map(column => [2, column]),
  )
})

test('an id of another kind gives the same UUID at every import, whatever else changes', async t => {
  const { store, load } = await setUp(t)
  const row = (id: string, name: string) =>
    load(
      'defibrillators',
      `id,location,parish,latitude,longitude\n${id},"${name}",St Helier,49.1837,-2.1047\n`,
    )
  await row('7148', 'Town Hall')
  const [before] = await published(store, 'defibrillators')
  assert.match(String(before?.id), /^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/)
  assert.equal((await row('7148', 'Town Hall, east')).changed, 1)
  const [after] = await published(store, 'defibrillators')
  assert.equal(after?.id, before?.id)
  const json = JSON.stringify([{ ...after, id: 7148 }])
  assert.equal((await load('defibrillators', json)).outcome, 'no new release')
  // A UUID that lacks a digit is a mistake.
  const damaged = await row('03d8bf66-e451-4a20-b3e5-96f8c1293f2', 'Town Hall')
  assert.match(damaged.rejections[0]?.reason ?? '', /^must be a UUID such as/)
})

test('a column is left out where the operator says so', async t => {
  const { store, load } = await setUp(t)
  const text = 'id,location,parish,latitude,longitude\n7148,Town Hall,St Helier,49.1837,-2.1047\n'
  await load('defibrillators', text.replace('id,', ',').replace('7148', ''))
  const [without] = await published(store, 'defibrillators')
  assert.equal((await load('defibrillators', text, { map: { ID: null } })).outcome, 'no new release')
  const [ignoring] = await published(store, 'defibrillators')
  assert.equal(ignoring?.id, without?.id)
  const unknown = await load('defibrillators', text, { map: { number: null } })
  assert.match(
    unknown.reason ?? '',
    /^--ignore names "number", which the source does not have; it has id, location/,
  )
})

test('columns without a name are named by their letters if they have values', async t => {
  const { store, load } = await setUp(t)
  const text =
    'location,parish,latitude,longitude,,\nA,St Helier,49.18,-2.1,,\nB,St Helier,49.19,-2.1,,east side\n'
  assert.deepEqual((await load('defibrillators', text)).ignoredColumns, ['column F'])
  await load('defibrillators', text, { map: { 'column F': 'notes' } })
  assert.deepEqual(
    (await published(store, 'defibrillators')).map(({ notes }) => notes),
    [null, 'east side'],
  )
  const sheet = await workbook([{ name: 'List', rows: [[...HEADER], [...RECORD, null, 'east side']] }])
  assert.deepEqual((await load('toilets', sheet, { map: { location: 'name' } })).ignoredColumns, ['column F'])
})

test('a first line sep= names the separator, as Excel writes it', async t => {
  for (const [text, more] of [
    ['sep=;\nlocation;parish;latitude;longitude\nTown Hall;St Helier;49.18;-2.10\n'],
    ['"sep=|"\r\nlocation|parish|latitude|longitude\r\nTown Hall|St Helier|49.18|-2.10\r\n'],
    ['sep=^\nlocation^parish^latitude^longitude\nTown Hall^St Helier^49.18^-2.10\n'],
    [
      'sep=,\nlocation;parish;latitude;longitude\nTown Hall;St Helier;49.18;-2.10\n',
      { reading: { delimiter: ';' } },
    ],
  ] as const)
    assert.deepEqual((await positionIn(t, text, more)).at, [49.18, -2.1], text)
  const { load } = await setUp(t)
  const bad = await load('defibrillators', 'sep=;\nlocation;parish;latitude\nTown Hall;St Helier;north\n')
  assert.equal(bad.rejections[0]?.line, 3)
})

test('a header is found below titles, whichever separator it has', async t => {
  for (const [title, separator] of [
    ['Public defibrillators,,,\nUpdated 1 March 2025,,,\n', ','],
    ['Public defibrillators\n\nUpdated 1 March 2025, by the parishes\n', ';'],
    ['"Defibrillators; in public places"\n', '\t'],
  ]) {
    const { load } = await setUp(t)
    const text = title + [HEADER, RECORD].map(cells => `${cells.join(separator)}\n`).join('')
    const report = await load('defibrillators', text)
    assert.equal(report.outcome, 'published', report.reason)
    const line = String(title).split('\n').length
    assert.match(
      report.warnings[0]?.reason ?? '',
      new RegExp(`^the header is on line ${line}; what is above it is not read$`),
    )
  }
})

test('a list whose header is not found says what its columns are', async t => {
  const { load } = await setUp(t)
  const report = await load('defibrillators', 'Public defibrillators\n\nplace,parish\nTown Hall,St Helier\n')
  assert.match(report.reason ?? '', /^the source has no column for location; its columns are place, parish;/)
})

test('a workbook is read from its sheet with the columns', async t => {
  const cover = { name: 'Cover', rows: [['Public defibrillators'], ['of the island']] }
  const list = { name: 'List', rows: [['Defibrillators'], [], [...HEADER], [...RECORD]] }
  const { load } = await setUp(t)
  const found = await load('defibrillators', await workbook([cover, list]))
  assert.equal(found.outcome, 'published', found.reason)
  assert.deepEqual(
    found.warnings.map(({ reason }) => reason),
    [
      'the sheet "List" is read, of the sheets Cover, List',
      'the header is on line 3; what is above it is not read',
    ],
  )
  const hidden = await load('defibrillators', await workbook([{ ...list, name: 'Old', hidden: true }, list]))
  assert.equal(hidden.outcome, 'no new release', hidden.reason)
  assert.match(hidden.warnings[0]?.reason ?? '', /^the sheet "List" is read, of the sheets Old, List$/)
  const both = await load('defibrillators', await workbook([list, { ...list, name: 'Older' }]))
  assert.equal(
    both.reason,
    '2 visible sheets have the columns of this dataset in their first rows; name the right sheet with --sheet: List, Older',
  )
  const none = await load('defibrillators', await workbook([cover, { ...cover, name: 'Notes' }]))
  assert.match(none.reason ?? '', /^0 visible sheets have the columns .* --sheet: Cover, Notes$/)
})

test('a blank before a quote is no part of a value', async t => {
  const text = 'location, parish, latitude, longitude\n"Town Hall", "St Helier", 49.18, -2.10\n'
  assert.deepEqual((await positionIn(t, text)).at, [49.18, -2.1])
})

test('files of other kinds are named for what they are', async t => {
  const { load } = await setUp(t)
  for (const [content, reason] of [
    [
      '<html><table><tr><td>location</td></tr></table></html>',
      /^the source is an HTML page, .*\.xls; open it/,
    ],
    ['\n<!DOCTYPE html>\n<html>', /^the source is an HTML page/],
    ['<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml">', /^the source is an HTML page/],
    ['%PDF-1.4 x', /^the source is a PDF document; ask for the table/],
    [
      '<?xml version="1.0"?>\n<kml xmlns="x"><Document/></kml>',
      /^the source is a KML or GPX file; convert it to GeoJSON/,
    ],
    ['<?xml version="1.0"?><gpx/>', /^the source is a KML or GPX file/],
    ['<?xml version="1.0"?>\n<ss:Workbook/>', /^the source is an XML spreadsheet of Excel 2003/],
    ['<?xml version="1.0"?>\n<list/>', /^the source is an XML document; save it as/],
    ['PAR1....', /^the source is a Parquet file/],
  ] as const)
    assert.match((await load('defibrillators', content)).reason ?? '', reason, content)
})

test('NaN in JSON is named, with its line', async t => {
  const { load } = await setUp(t)
  const text = '[\n{"location":"A NaN","parish":"St Helier",\n"latitude":NaN,"longitude":-2.10}]'
  assert.equal(
    (await load('defibrillators', text)).reason,
    'line 3: NaN is no value of JSON; write null in its place',
  )
})
