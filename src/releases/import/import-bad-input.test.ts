import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import Type from 'typebox'
import { openStore } from '../../store/open-store.ts'
import type { Store } from '../../store/store.ts'
import { importDataset } from './import.ts'
import type { Importable } from './importable.ts'

/* The corpus of bad sources (fault matrix D7): each is refused with a helpful reason, and nothing is changed. */

const kiosks: Importable = {
  name: 'kiosks',
  record: Type.Object({
    id: Type.String({ format: 'uuid' }),
    createdAt: Type.String({ format: 'date-time' }),
    name: Type.String(),
    type: Type.Unsafe({ type: 'string', enum: ['ICE_CREAM', 'COFFEE'] }),
    openedAt: Type.String({ format: 'date-time' }),
  }),
  layout: { kind: 'documents' },
  identity: { kind: 'uuid', naturalKey: kiosk => String(kiosk.name) },
  knownBy: ['name'],
  columnAliases: { kind: 'type' },
  rejectLimit: { rows: 0 },
}

const header = 'name,kind,opened at'
const good = Array.from({ length: 60 }, (_, at) => ({
  name: `Kiosk ${at}`,
  type: 'coffee',
  openedAt: '2001-02-03',
}))
const goodJson = JSON.stringify({ results: good }, null, 1)
const goodCsv = [header, ...good.map(({ name, type, openedAt }) => `${name},${type},${openedAt}`)].join('\n')
const id = '6060f60d-17a1-49c8-aa4a-c268721a806a'

let folder: string
let store: Store
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pds-bad-input-'))
  store = await openStore(`sqlite:${join(folder, 'store')}`)
  await load(goodJson)
})
after(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

async function load(content: string | Buffer, name = 'source.csv') {
  const source = join(folder, name)
  await writeFile(source, content)
  return importDataset({ store, dataset: kiosks, source })
}

/** The reason of a refusal, or the rejection of a row. */
interface Expected {
  readonly content: string | Buffer
  readonly reason?: RegExp
  readonly rejection?: { line: number; column: string | null; value: string | null; reason: RegExp }
}

const bad: Record<string, Expected> = {
  'an empty file': { content: '', reason: /is empty/ },
  'a file of blanks': { content: ' \n\r\n\t', reason: /is empty/ },
  'gzip of nothing': { content: gzipSync(''), reason: /is empty/ },
  'a gzip cut off': {
    content: gzipSync(goodCsv).subarray(0, 100),
    reason: /gzip file is cut off before its end/,
  },
  'a gzip with a flipped byte at its end': {
    content: gzipSync(goodCsv).map((byte, at, all) => (at === all.length - 6 ? byte ^ 1 : byte)) as Buffer,
    reason: /gzip file is damaged/,
  },
  'a CSV without a column': {
    content: 'name,colour\nKiosk,red\n',
    reason: /no column for type, openedAt; its columns are name, colour; .*--map/,
  },
  'a CSV with a column twice': { content: `${header},name\n`, reason: /the column "name" twice/ },
  'a CSV with only a header': { content: `${header}\n`, reason: /has no records/ },
  'a CSV with a quote left open': {
    content: `${goodCsv}\n"Pier,coffee,2001-02-03\n`,
    reason: /line 62 and is never closed/,
  },
  'a JSON file cut in the middle': {
    content: goodJson.slice(0, goodJson.length / 2),
    reason: /ends on line \d+ in the middle of its JSON/,
  },
  'a JSON file with more after its end': {
    content: `${goodJson}\n{}`,
    reason: /line \d+: "\{" stands where/,
  },
  'JSON that is no list': { content: '{"error":"not found"}', reason: /must be a list of records/ },
  'NDJSON with a line cut off': {
    content: `{"name":"A","type":"coffee","openedAt":"2001-02-03"}\n{"name":"B",\n{"name":"C"}`,
    reason: /line 2 does not hold a whole record/,
  },
  'NDJSON cut off at its end': {
    content: `{"name":"A","type":"coffee","openedAt":"2001-02-03"}\n\n{"name":"B"`,
    reason: /ends on line 3 in the middle/,
  },
  'GeoJSON in metres': {
    content: JSON.stringify(
      {
        type: 'FeatureCollection',
        crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::3109' } },
        features: [],
      },
      null,
      1,
    ),
    reason: /^line 3: the coordinates are in urn:ogc:def:crs:EPSG::3109; save it in WGS 84/,
  },
  'a header that two characters separate': {
    content: goodCsv.replace(header, 'name;kind,opened at'),
    reason: /as many commas as semicolons \(1 of each\); say which .* --delimiter/,
  },
  'a record nested without end': {
    content: `[${'{"name":'.repeat(500)}`,
    reason: /nested more than 100 deep/,
  },
  'a record of several megabytes': {
    content: `[{"name":"${'x'.repeat(3e6)}"}]`,
    reason: /line 1 has more than/,
  },
  'Windows-1252 text': {
    content: Buffer.from(`${goodCsv}\nCafé,coffee,2001-02-03\n`, 'latin1'),
    reason:
      /line 62 holds the byte 0xE9, which is not UTF-8; .*--encoding windows-1252, else save it as UTF-8/,
  },
  'UTF-16 text without a byte order mark': {
    content: Buffer.from(goodCsv, 'utf16le'),
    reason: /UTF-16 text does; name it with --encoding utf-16le or utf-16be/,
  },
  'a list of numbers': {
    content: '[1,\n2]',
    rejection: { line: 1, column: null, value: '1', reason: /not an object/ },
  },
  'a row with a column too many': {
    content: `${goodCsv}\nPier,coffee,2001-02-03,x\n`,
    rejection: { line: 62, column: null, value: 'Pier,coffee,2001-02-03,x', reason: /has 4 columns/ },
  },
  'a wrong word': {
    content: `${goodCsv}\nPier,coffe,2001-02-03\n`,
    rejection: {
      line: 62,
      column: 'kind',
      value: 'coffe',
      reason: /one of ICE_CREAM, COFFEE; COFFEE may be meant/,
    },
  },
  'a wrong type': {
    content: JSON.stringify([{ ...good[0], name: { en: 'Pier' } }]),
    rejection: { line: 1, column: 'name', value: '{"en":"Pier"}', reason: /must be text/ },
  },
  'a missing value': {
    content: `${goodCsv}\n,coffee,2001-02-03\n`,
    rejection: { line: 62, column: 'name', value: '', reason: /must not be blank/ },
  },
  'an empty record': {
    content: '[{}]',
    rejection: { line: 1, column: 'name', value: null, reason: /must not be blank/ },
  },
  'text damaged before': {
    content: `${goodCsv}\nCaf\ufffd,coffee,2001-02-03\n`,
    rejection: { line: 62, column: 'name', value: 'Caf\ufffd', reason: /was damaged before/ },
  },
  'one id for two records': {
    content: JSON.stringify([
      { ...good[0], id },
      { ...good[1], id },
    ]),
    rejection: { line: 1, column: 'id', value: id, reason: /is the id of another record, on line 1/ },
  },
  'half of the records': {
    content: JSON.stringify(good.slice(0, 30)),
    reason: /a loss of more than a fifth/,
  },
  'ten times the records': {
    content: JSON.stringify(Array.from({ length: 600 }, (_, at) => ({ ...good[0], name: `Pier ${at}` }))),
    reason: /ten times as many or more/,
  },
}

for (const [name, { content, reason, rejection }] of Object.entries(bad))
  test(`${name} is refused and changes nothing`, async () => {
    const [releases, revision, files] = [
      await store.releases.list('kiosks'),
      await store.releases.revision(),
      await kept(),
    ]
    const report = await load(content)
    assert.deepEqual([report.outcome, report.release], ['refused', null], report.reason)
    assert.match(report.reason ?? '', reason ?? /^1 of \d+ rows? rejected|^2 of 2 rows rejected/)
    if (rejection !== undefined) {
      const { reason: why, ...where } = report.rejections[0] ?? { reason: '' }
      assert.deepEqual(where, { line: rejection.line, column: rejection.column, value: rejection.value })
      assert.match(why, rejection.reason)
    }
    assert.deepEqual(await store.releases.list('kiosks'), releases)
    assert.equal(await store.releases.revision(), revision)
    assert.deepEqual(await kept(), files)
  })

const kept = () => readdir(join(folder, 'store'), { recursive: true })

test('a source that is not a file is refused', async () => {
  const missing = await importDataset({ store, dataset: kiosks, source: join(folder, 'missing.csv') })
  assert.match(missing.reason ?? '', /missing\.csv cannot be read: there is no such file/)
  const aFolder = await importDataset({ store, dataset: kiosks, source: folder })
  assert.match(aFolder.reason ?? '', /is a folder/)
})

test('a mapping to a missing field or column is refused', async () => {
  const source = join(folder, 'mapped.json')
  await writeFile(source, goodJson)
  const run = (map: Record<string, string>) => importDataset({ store, dataset: kiosks, source, map })
  assert.match(
    (await run({ kind: 'sort' })).reason ?? '',
    /a field sort, but there is none; the fields are id,/,
  )
  assert.match(
    (await run({ Sort: 'type' })).reason ?? '',
    /--map names "Sort", which the source does not have/,
  )
})

test('the same records in any form make no new release', async () => {
  for (const [name, content] of Object.entries({
    'a.csv': goodCsv,
    'with a mark.csv': `\ufeff${goodCsv.replaceAll('\n', '\r\n')}\r\n`,
    'named otherwise.txt': gzipSync(goodJson),
    'list.json': JSON.stringify(good),
    'semicolons.csv': goodCsv.replaceAll(',', ';').replaceAll('2001-02-03', '03/02/2001'),
    'bars.csv': Buffer.from(`\ufeff${goodCsv.replaceAll(',', '|')}`, 'utf16le'),
    'a record on each line.ndjson': good.map(kiosk => `${JSON.stringify(kiosk)}\n`).join('\r\n'),
    'features.geojson': JSON.stringify({
      type: 'FeatureCollection',
      features: good.map(properties => ({ type: 'Feature', geometry: null, properties })),
    }),
  }))
    assert.equal((await load(content, name)).outcome, 'no new release', name)
})

test('names such as __proto__ are unknown names and do no harm', async () => {
  const report = await load(
    `[${goodJson.replace(/^.*?\[|\]\s*\}$/gs, '')},{"__proto__":{"name":"x"},"constructor":1}]`,
  )
  assert.deepEqual(report.ignoredColumns, ['__proto__', 'constructor'])
  assert.equal(report.rejected, 1)
  assert.equal(({} as { name?: string }).name, undefined)
})

test('a wholly bad file costs no memory: issues beyond a thousand are only counted', async () => {
  const report = await load(
    [header, ...Array.from({ length: 5000 }, (_, at) => `Pier ${at},tea,x`)].join('\n'),
  )
  assert.deepEqual([report.outcome, report.rejected, report.rejections.length], ['refused', 5000, 1000])
})

test('if a source is truncated the report accounts for every row before', async () => {
  const { outcome, read, accepted, rejected, skipped } = await load(goodJson.slice(0, goodJson.length / 2))
  assert.equal(outcome, 'refused')
  assert.ok(read > 10)
  assert.deepEqual([accepted, rejected, skipped], [read, 0, 0])
})
