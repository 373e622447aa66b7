import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { emptyFolder } from '../support/folder.ts'
import { pds } from '../support/pds.ts'
import { rowOf, SHEET, sheetOf, TEXTS, workbookOf } from '../support/workbook.ts'

/**
 * Makes a process tell at its end what it used: CPU seconds, and MiB of memory at the most. The operating system's own
 * figure of the latter is of no use here: a process inherits that of the one that started it.
 */
const USAGE = `process.on('exit', () => {
  const status = process.getBuiltinModule('fs').readFileSync('/proc/self/status', 'latin1')
  const [, kibibytes] = /VmHWM:\\s+(\\d+)/.exec(status)
  process.stderr.write('used ' + process.resourceUsage().userCPUTime / 1e6 + ' ' + kibibytes / 1024 + '\\n')
})`
/** Without a bound, V8's young generation grows by 48 MB or not at all, whatever an import holds. */
const NODE_OPTIONS = `--max-semi-space-size=4 --import=data:text/javascript,${encodeURIComponent(USAGE)}`

async function importOf(folder: string, dataset: string, source: string, options: readonly string[] = []) {
  const { status, stdout, stderr } = await pds(folder, ['import', dataset, source, ...options], {
    environment: { NODE_OPTIONS },
  })
  const [, seconds = '', mebibytes = ''] = /^used (\S+) (\S+)$/m.exec(stderr) ?? []
  assert.ok(seconds, stderr)
  return { status, stdout, seconds: Number(seconds), mebibytes: Number(mebibytes) }
}

const RECALLS = 'id,title,recallDate,problem\n'
const RECALL = '1,Crisps,2024-01-01,Nuts\n'
const PLACES = 'id,name,services,location,parish\n'
const FEATURES = '{"type":"FeatureCollection","features":['
const feature = (coordinates: string) =>
  `{"type":"Feature","geometry":{"type":"Point","coordinates":${coordinates}},"properties":{"name":"A","parish":"B"}}`
const ID = '03d8bf66-e451-4a20-b3e5-96f8c1293f2c'

const HEADER = rowOf('id', 'title', 'recallDate', 'problem')
const numbered = (count: number, write: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => write(at))

interface Hostile {
  readonly of: string
  readonly dataset?: string
  readonly options?: readonly string[]
  readonly source: () => string | Buffer
  /** What the report says, in one line. */
  readonly said: RegExp
}

const HOSTILE: readonly Hostile[] = [
  {
    of: '200,000 columns',
    source: () => `${'c,'.repeat(200_000)}\n${'1,'.repeat(200_000)}\n`,
    said: /^.*refused.*line 1 has 200001 columns; at most 1000 are allowed$/m,
  },
  {
    of: '50,000 columns in a later row',
    source: () => `${RECALLS}${RECALL}${'1,'.repeat(50_000)}\n`,
    said: /^.*refused.*line 3 has 50001 columns; at most 1000 are allowed$/m,
  },
  {
    of: 'a header of 200 KB',
    source: () => `${'x'.repeat(200_000)}\n1\n`,
    said: /^.*refused.*its columns are x{80};/m,
  },
  {
    of: 'a header of 200,000 quotes',
    source: () => `${'"'.repeat(200_001)}\n1\n`,
    said: /^.*refused.*a quote \("\) opens in the row that starts on line 1/m,
  },
  {
    of: 'a row of 20 MB',
    source: () => `${RECALLS}1,${'x'.repeat(20_000_000)}\n`,
    said: /^.*refused.*line 2 has more than the 1048576 characters that are allowed/m,
  },
  {
    of: 'a number of 200 KB',
    dataset: 'vehicles',
    source: () => `make,model,co2Emissions\nFORD,KA,${'1'.repeat(200_000)}x\n`,
    said: /co2Emissions +"1{80}" +has 200001 characters; at most 100000 are allowed$/m,
  },
  {
    of: 'a number of 99 KB',
    dataset: 'vehicles',
    source: () => `make,model,co2Emissions\nFORD,KA,${'1'.repeat(99_000)}x\n`,
    said: /co2Emissions +"1{80}" +must be a number in plain decimal digits$/m,
  },
  {
    of: 'a list of 19,000 items',
    dataset: 'recycling',
    source: () => `${PLACES}${ID},a,"${'glas,'.repeat(19_000)}",b,c\n`,
    said: /services +"(?:glas,){16}" +has 19000 items; at most 100 are allowed$/m,
  },
  {
    of: 'a value of 40,000 lists in each other',
    dataset: 'recycling',
    source: () => `${PLACES}${ID},a,"${'['.repeat(40_000)}${']'.repeat(40_000)}",b,c\n`,
    said: /services +"\[{80}" +is nested more than 100 deep, which is the most allowed$/m,
  },
  {
    of: '200,000 lists in each other',
    source: () => '['.repeat(200_000),
    said: /^.*refused.*nested more than 100 deep, which is the most allowed$/m,
  },
  {
    of: 'an object of 70,000 fields',
    source: () => `[{${Array.from({ length: 70_000 }, (_, key) => `"k${key}":1`).join()}}]`,
    said: /has 70000 fields; at most 1000 are allowed$/m,
  },
  {
    of: 'a list of 300,000 numbers',
    source: () => `[${'1,'.repeat(299_999)}1]`,
    said: /^.*refused.*300000 of 300000 rows rejected/m,
  },
  {
    of: '40 MB of blanks',
    source: () => ' '.repeat(40_000_000),
    said: /^.*refused.*the source starts with more than 1048576 blanks/m,
  },
  {
    of: 'gzip of equal rows',
    source: () => gzipSync(RECALLS + RECALL.repeat(4_000_000), { level: 9 }),
    said: /^.*refused.*unpacks to more than 100 times its size, which is the most allowed/m,
  },
  {
    of: 'gzip of equal long rows',
    source: () => gzipSync(`${RECALLS}${`1,${'y'.repeat(1_000_000)},x,p\n`.repeat(200)}`, { level: 9 }),
    said: /^.*refused.*unpacks to more than 100 times its size, which is the most allowed/m,
  },
  {
    of: 'gzip of equal readings',
    dataset: 'live-spaces',
    source: () =>
      gzipSync(`time,name,code,spaces\n${'2024-01-01 10:00,A,SAND,1\n'.repeat(1_000_000)}`, { level: 9 }),
    said: /^.*refused.*unpacks to more than 100 times its size, which is the most allowed/m,
  },
  {
    of: 'a workbook whose sheet unpacks to 1,000 times its size',
    source: () => workbookOf(sheetOf(HEADER, ' '.repeat(100_000_000))),
    said: /^.*refused.*sheet1\.xml of the workbook unpacks to more than 100 times its size, which is the most allowed/m,
  },
  {
    of: 'a workbook whose shared texts unpack to 1,000 times their size',
    source: () =>
      workbookOf(sheetOf(HEADER), { parts: [[TEXTS, `<sst>${'<si/>'.repeat(20_000_000)}</sst>`]] }),
    said: /^.*refused.*sharedStrings\.xml of the workbook unpacks to more than 100 times its size/m,
  },
  {
    of: 'a workbook of three million shared texts',
    source: () =>
      workbookOf(sheetOf(HEADER), {
        parts: [
          [
            TEXTS,
            `<sst>${numbered(3_000_000, at => `<si><t>${(at * 7919).toString(36)}</t></si>`).join('')}</sst>`,
          ],
        ],
      }),
    said: /^.*refused.*more than 16777216 characters of different texts; save the sheet as CSV$/m,
  },
  {
    of: 'a workbook of a million empty rows',
    source: () =>
      workbookOf(sheetOf(HEADER, numbered(1_000_000, at => `<row r="${at + 2}" s="1"/>`).join(''))),
    said: /^.*refused.*the source has no records/m,
  },
  {
    of: 'a workbook of 16,384 columns',
    source: () => workbookOf(sheetOf(HEADER, rowOf(...numbered(16_384, () => 'x')))),
    said: /^.*refused.*row 2 has a value in column 1001; at most 1000 columns are allowed$/m,
  },
  {
    of: 'a workbook of 500,000 rows with one value in the last column',
    source: () =>
      workbookOf(
        sheetOf(HEADER, numbered(300_000, at => `<row><c r="XFD${at + 2}"><v>${at}</v></c></row>`).join('')),
      ),
    said: /^.*refused.*row 2 has a value in column 16384; at most 1000 columns are allowed$/m,
  },
  {
    of: 'a workbook with a cell of 10 MB',
    source: () => workbookOf(sheetOf(HEADER, rowOf(randomBytes(5_000_000).toString('hex')))),
    said: /^.*refused.*a value of the workbook has more than the 1048576 characters that are allowed$/m,
  },
  {
    of: 'a workbook whose elements are nested 200,000 deep',
    source: () => workbookOf(sheetOf('<row>'.repeat(200_000))),
    said: /^.*refused.*the workbook is damaged \(elements are nested more than 100 deep\)/m,
  },
  {
    of: 'a workbook with two sheets of one name',
    source: () => workbookOf(sheetOf(HEADER), { parts: [[SHEET, sheetOf(HEADER)]] }),
    said: /^.*refused.*two of its parts have the name xl\/worksheets\/sheet1\.xml\); fetch or save it again$/m,
  },
  {
    of: 'a workbook with entities that grow',
    source: () => workbookOf(`<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${sheetOf(rowOf('&b;'))}`),
    said: /^.*refused.*damaged \(a part has a document type, as no workbook does\)/m,
  },
  {
    of: 'a workbook with an entity that nothing defines',
    source: () => workbookOf(sheetOf(rowOf('&secret;'))),
    said: /^.*refused.*damaged \(not XML: undefined entity/m,
  },
  {
    of: 'a workbook whose sheet ends in the middle',
    source: () => workbookOf('<worksheet><sheetData><row>'),
    said: /^.*refused.*damaged \(not XML: unclosed tag: row/m,
  },
  {
    of: 'half a workbook',
    source: () => workbookOf(sheetOf(HEADER)).subarray(0, -100),
    said: /^.*refused.*the workbook is damaged \(.*truncated.*\); fetch or save it again$/m,
  },
  {
    of: 'a workbook that is encrypted',
    source: () => Buffer.from('d0cf11e0a1b11ae1'.padEnd(4096, '0'), 'hex'),
    said: /^.*refused.*an Excel workbook that is old \(.xls\) or encrypted; save it as .xlsx without a password$/m,
  },
  {
    of: 'GeoJSON with coordinates nested 100,000 deep',
    dataset: 'toilets',
    source: () =>
      `${FEATURES}{"type":"Feature","geometry":{"type":"Point","coordinates":${'['.repeat(100_000)}`,
    said: /^.*refused.*nested more than 100 deep, which is the most allowed$/m,
  },
  {
    of: '300,000 features without a name',
    dataset: 'toilets',
    source: () => `${FEATURES}${numbered(300_000, () => '{"type":"Feature","properties":{}}').join(',\n')}]}`,
    said: /^.*refused.*300000 of 300000 rows rejected/m,
  },
  ...[
    ['of 1e400', '[1e400,49]', /longitude +\S+ +must be a number in plain decimal digits$/m],
    ['of NaN', '[NaN,49]', /^.*refused.*line 1: NaN is no value of JSON; write null in its place$/m],
    ['of a list in a list', '[[-2,49]]', /has a Point without a longitude and a latitude$/m],
    ['of text', '["-2","49"]', /has a Point without a longitude and a latitude$/m],
  ].map(([what, coordinates, said]) => ({
    of: `a feature with coordinates ${what}`,
    dataset: 'toilets',
    source: () => `${FEATURES}${feature(String(coordinates))}]}`,
    said: said as RegExp,
  })),
  {
    of: 'NDJSON whose second line does not end',
    source: () => `{"id":1,"title":"Crisps","problem":"Nuts"}\n{"id":2,"title":"${'x'.repeat(20_000_000)}`,
    said: /^.*refused.*the record that starts on line 2 has more than the 1048576 characters that are allowed$/m,
  },
  {
    of: 'NDJSON whose first line does not end',
    source: () => `{"id":1,"title":"${'x'.repeat(20_000_000)}`,
    said: /^.*refused/m,
  },
  {
    of: 'UTF-16 of an odd number of bytes',
    source: () => Buffer.from(`\ufeff${RECALLS}${RECALL}`, 'utf16le').subarray(0, -1),
    said: /^.*refused.*on line 2 or later the text is not UTF-16LE; save the source as UTF-8/m,
  },
  {
    of: 'UTF-16 with half a surrogate pair',
    source: () => Buffer.from(`\ufeff${RECALLS}1,Crisps \ud800,2024-01-01,Nuts\n`, 'utf16le'),
    said: /^.*refused.*on line 1 or later the text is not UTF-16LE; save the source as UTF-8/m,
  },
  {
    of: 'bytes that Windows-1252 does not assign',
    options: ['--encoding', 'windows-1252'],
    source: () => Buffer.from(`${RECALLS}1,Crisps \x81\x8d\x8f\x90\x9d,2024-01-01,Nuts\n`, 'latin1'),
    said: /title +"\S+ .*" +contains a control character$/m,
  },
]

test('an import of each hostile source ends with one line, within bounds of time and memory', async t => {
  const folder = await emptyFolder(t)
  await writeFile(join(folder, 'empty'), RECALLS)
  const usual = await importOf(folder, 'product-recalls', 'empty')
  for (const { of, dataset = 'product-recalls', options, source, said } of HOSTILE)
    await t.test(of, async t => {
      await writeFile(join(folder, 'source'), source())
      const { status, stdout, seconds, mebibytes } = await importOf(folder, dataset, 'source', options)
      t.diagnostic(
        `${seconds} s of CPU, ${Math.round(mebibytes - usual.mebibytes)} MiB more than an empty file`,
      )
      assert.equal(status, 1)
      assert.match(stdout, said)
      assert.ok(stdout.length < 4000, `${stdout.length} characters`)
      assert.ok(seconds < usual.seconds + 8, `${seconds} s of CPU`)
      assert.ok(mebibytes < usual.mebibytes + 100, `${mebibytes} MiB, for an empty file ${usual.mebibytes}`)
    })
})

test('the text of a source cannot control the terminal, as text and as JSON', async t => {
  const folder = await emptyFolder(t)
  const evil = '\u001b[2J\u009b31m\u202e\u2028'
  await writeFile(join(folder, 'source'), `id,${evil},title\n${evil},1,${evil}\n`)
  for (const more of [[], ['--json']]) {
    const { stdout, stderr } = await pds(folder, ['import', 'product-recalls', 'source', ...more])
    assert.match(stdout, /2J/)
    assert.doesNotMatch(stdout + stderr, /[^\P{Cc}\n]|[\p{Cf}\p{Zl}]/u)
  }
})
