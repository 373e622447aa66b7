import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { writeXlsx } from 'hucre'
import type { Part } from '../../../test/support/archive.ts'
import { pieces } from '../../../test/support/pieces.ts'
import { STYLES, sheetOf, TEXTS, workbookOf } from '../../../test/support/workbook.ts'
import type { CsvLine } from '../csv.ts'
import { tableLines } from '../rows.ts'
import type { SourceOptions } from '../source-options.ts'
import { cellText } from './workbook.ts'

type Rows = Parameters<typeof writeXlsx>[0]['sheets'][number]['rows']

const workbook = async (...sheets: readonly Rows[]) =>
  Buffer.from(await writeXlsx({ sheets: sheets.map((rows = [], at) => ({ name: `Sheet ${at + 1}`, rows })) }))

async function linesOf(bytes: Buffer, options: SourceOptions = {}): Promise<readonly CsvLine[]> {
  const lines: CsvLine[][] = await Readable.from(tableLines(pieces(bytes, 1000), options)).toArray()
  return lines.flat()
}

const read = async (bytes: Buffer, sheet?: string) =>
  (await linesOf(bytes, sheet === undefined ? {} : { sheet })).map(({ line, cells }) => [line, ...cells])

test('rows with values, by the numbers of the sheet, as wide as the header', async () => {
  const bytes = await workbook(
    [[], ['id', 'name', 'open'], [], ['05921', 'Pier', true], ['x'], [null, '', null], ['y', 'Hill', false]],
    [['other'], [1]],
  )
  assert.deepEqual(await read(bytes), [
    [2, 'id', 'name', 'open'],
    [4, '05921', 'Pier', 'true'],
    [5, 'x', '', ''],
    [7, 'y', 'Hill', 'false'],
  ])
  assert.deepEqual(await read(bytes, 'Sheet 2'), [
    [1, 'other'],
    [2, '1'],
  ])
})

test('dates and numbers are texts that an import reads', async () => {
  const day = new Date('2024-06-01T00:00:00Z')
  const time = new Date('2024-06-01T12:34:56Z')
  assert.deepEqual(
    await read(
      await workbook([
        ['day', 'time', 'n', 'm'],
        [day, time, 49.17793188, -0.25],
      ]),
    ),
    [
      [1, 'day', 'time', 'n', 'm'],
      [2, '2024-06-01', '2024-06-01 12:34:56', '49.17793188', '-0.25'],
    ],
  )
  assert.equal(cellText(0.1 + 0.2), '0.3')
  assert.equal(cellText(new Date('2024-06-01T11:59:59.9996Z')), '2024-06-01 12:00:00')
  assert.equal(cellText(new Date(Number.NaN)), '')
})

const PARTS: readonly Part[] = [
  [
    TEXTS,
    '<sst><si><r><t>Pier </t></r><r><t>Road</t></r></si><si><t>\u6e2f</t><rPh><t>\u307f\u306a\u3068</t></rPh></si></sst>',
  ],
  [
    STYLES,
    `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-809]dd\\-mmm\\-yyyy"/><numFmt numFmtId="165" formatCode="0.00&quot; days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="22"/></cellXfs></styleSheet>`,
  ],
]

/** A workbook with these texts and styles, written as other programs write it. */
const written = (rows: string, properties = '') => workbookOf(sheetOf(rows), { parts: PARTS, properties })

test('a formula without a stored result is named with its cell; one that gives an empty text is blank', async () => {
  const rows =
    '<row r="7"><c r="A7"><v>1</v></c><c r="AB7"><f>A7*2</f></c><c r="AC7"><f>A7</f><v/></c></row>' +
    '<row><c><f>A1</f><v>3</v></c><c t="str"><f>""</f><v></v></c></row>'
  const faults = (await linesOf(written(rows))).map(({ line, faults }) => [line, ...(faults ?? [])])
  const reason =
    'has a formula without a stored result; open the workbook in a spreadsheet program and save it'
  assert.deepEqual(faults, [[7, [27, `cell AB7 ${reason}`], [28, `cell AC7 ${reason}`]], [8]])
})

test('shared, rich and inline texts, without the readings of East Asian ones', async () => {
  const rows =
    '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>' +
    '<row><c t="inlineStr"><is><r><t>Les </t></r><r><t>Jardins</t></r><rPh><t>x</t></rPh></is></c>' +
    '<c t="str"><f>A1</f><v>a_x000A_b</v></c></row>'
  assert.deepEqual(await read(written(rows)), [
    [1, 'Pier Road', '港'],
    [2, 'Les Jardins', 'a\nb'],
  ])
  await assert.rejects(read(written('<row><c t="s"><v>2</v></c></row>')), {
    message: /damaged \(a cell has a text that the workbook does not have\)/,
  })
})

test('dates by the format of their cell and the year that days count from', async () => {
  const days = (style: number, ...serials: number[]) =>
    `<row>${serials.map(serial => `<c s="${style}"><v>${serial}</v></c>`).join('')}</row>`
  const rows =
    days(1, 1, 59, 61, 45351) + days(2, 1, 59, 61, 45351) + days(3, 45351.573032407, 0.999305556, 0)
  const [dates, numbers, time] = await read(written(rows))
  assert.deepEqual(dates, [1, '1900-01-01', '1900-02-28', '1900-03-01', '2024-02-29'])
  assert.deepEqual(numbers, [2, '1', '59', '61', '45351'])
  assert.deepEqual(time, [3, '2024-02-29 13:45:10', '23:59:00', '00:00:00', ''])
  const [since1904] = await read(written(days(1, 43_889), '<x:workbookPr date1904="1"/>'))
  assert.deepEqual(since1904, [1, '2024-02-29'])
})

test('what is no workbook, or not whole, is refused', async () => {
  const bytes = await workbook([
    ['id', 'name'],
    ['x', 'Pier'],
  ])
  const refused = (source: Buffer, message: RegExp, sheet?: string) =>
    assert.rejects(read(source, sheet), { name: 'Refusal', message })
  await refused(bytes, /no sheet "Toilets"; its sheets are Sheet 1$/, 'Toilets')
  await refused(
    Buffer.from('id,name\n'),
    /--sheet names "Toilets", but the source is not a workbook/,
    'Toilets',
  )
  await refused(bytes.subarray(0, -30), /damaged \(.*truncated/)
  await refused(Buffer.from('PK\x03\x04 mimetypeapplication/vnd.oasis.opendocument.spreadsheet'), /\.ods/)
  await refused(Buffer.from('PK\x03\x04 toilets.csv'), /ZIP archive, but not a workbook/)
  await refused(await workbook([[...'x'.repeat(1001)]]), /row 1 has a value in column 1001; at most 1000/)
  const damaged = Buffer.from(bytes)
  damaged.fill(
    0xff,
    damaged.indexOf('xl/worksheets/sheet1.xml') + 30,
    damaged.indexOf('xl/worksheets/sheet1.xml') + 60,
  )
  await refused(damaged, /the workbook is damaged/)
})

test('a workbook that unpacks to more than is allowed, or to another size than it says, is refused', async () => {
  const bytes = await workbook([['id'], ['x']])
  const entry = bytes.lastIndexOf(Buffer.from('PK\x01\x02'))
  const declared = (size: number) => {
    const changed = Buffer.from(bytes)
    changed.writeUInt32LE(size, entry + 24)
    return changed
  }
  await assert.rejects(read(declared(0xffffffff)), { message: /unpacks to more than 128 MiB/ })
  for (const size of [0, 100, 5000])
    await assert.rejects(read(declared(size)), {
      message: /its part xl\/worksheets\/sheet1\.xml: (too many|not enough) bytes/,
    })
})
