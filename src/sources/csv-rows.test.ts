import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import Type from 'typebox'
import { pieces } from '../../test/support/pieces.ts'
import { createColumns } from './columns.ts'
import { csvLines, csvRows } from './csv.ts'
import { withFirstLines } from './encodings.ts'
import type { SourceRow } from './source-row.ts'

const record = Type.Object({ make: Type.String(), model: Type.String(), year: Type.String() })
const columnAliases = { 'Type of vehicle': 'model', brand: 'make', secret: null }

const VEHICLES: Parameters<typeof createColumns> = [{ record, columnAliases }, {}, ['make']]

async function read(text: string, { size = 1000, of = VEHICLES } = {}): Promise<SourceRow[]> {
  const lines = csvLines(await withFirstLines(pieces(text, size)))
  const rows: SourceRow[][] = await Readable.from(csvRows(lines, createColumns(...of))).toArray()
  return rows.flat()
}

const cells = (rows: readonly SourceRow[]) =>
  rows.map(({ line, values }) => [line, ...values.filter(value => value !== undefined)])

test('reads commas, semicolons and tabs, any line ends, headers in any order and spelling', async () => {
  const expected = [[2, 'Ford', 'Ka, red', '1999']]
  for (const text of [
    'MAKE,Type_of_vehicle,Year\nFord,"Ka, red",1999\n',
    'make;TYPE OF VEHICLE;year\r\nFord;Ka, red;1999\r\n',
    'Make\tmodel\tYEAR\rFord\tKa, red\t1999',
    '"make","model","year"\nFord,"Ka, red",1999\n\n',
  ])
    for (const size of [1, 3, 1000]) assert.deepEqual(cells(await read(text, { size })), expected, text)
})

test('true line numbers with quoted line breaks, blank lines and pieces of any size', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ' ', '"', ',', '\n', '\r\n', 'é', ';'), maxLength: 6 })
  const row = fc
    .tuple(cell, cell, cell, fc.nat(2))
    .map(([a, b, c, blanks]) => ({ cells: [`x${a}`, b, c], blanks }))
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 8 }),
      fc.constantFrom('\n', '\r\n'),
      fc.integer({ min: 1, max: 40 }),
      async (rows, end, size) => {
        let text = `make,model,year${end}`
        const expected = rows.map(({ cells, blanks }) => {
          text += end.repeat(blanks)
          const line = text.split('\n').length
          text += stringify([cells], { quoted: true, record_delimiter: end })
          return [line, ...cells.map(one => one.replaceAll('\r\n', '\n'))]
        })
        assert.deepEqual(cells(await read(text, { size })), expected)
      },
    ),
  )
})

test('a row with too few or too many columns is a fault of that row alone', async () => {
  const rows = await read('make,model,year\nFord,Ka\nOpel,Corsa,2001\nVW,Polo,2002,x\n')
  assert.deepEqual(
    rows.map(({ line, fault }) => [line, fault?.reason]),
    [
      [2, 'has 2 columns, but the header has 3'],
      [3, undefined],
      [4, 'has 4 columns, but the header has 3'],
    ],
  )
})

test('lines without any value are passed over', async () => {
  assert.deepEqual(cells(await read('make,model,year\n,,\n \nFord,,\n')), [[4, 'Ford', '', '']])
})

test('an alias beside the field itself fills its blanks and gives its name to issues', async () => {
  const rows = await read('make,brand\nFord,x\n,Opel\n')
  assert.deepEqual(cells(rows), [
    [2, 'Ford'],
    [3, 'Opel'],
  ])
  assert.deepEqual(
    rows.map(({ columns }) => columns.get('make')),
    ['make', 'brand'],
  )
})

test('refuses text that cannot be split into rows and columns', async () => {
  const refused = (text: string, message: RegExp, map = {}) =>
    assert.rejects(read(text, { of: [VEHICLES[0], map, ['make']] }), { name: 'Refusal', message })
  await refused('make,model\nFord,Ka\nFord,5" Ka\n', /inside a value in the row that starts on line 3/)
  await refused('make,model,make\nFord,Ka,x\n', /column "make" twice/)
  await refused('brand,Brand\nFord,Ka\n', /"brand" and "Brand" both match the field make/)
  await refused('colour,model\nred,Ka\n', /no column for make; its columns are colour, model; .*--map/)
  await refused(
    'make,model\nFord,Ka\n',
    /--map names "Marque", which the source does not have; it has make, model/,
    { Marque: 'make' },
  )
  await refused('\n \n', /empty/)
})

test('columns named by their path give the members of an object, unless all are blank', async () => {
  const place = Type.Object({
    name: Type.String(),
    owner: Type.Object({ id: Type.String(), name: Type.String() }),
    notes: Type.String(),
  })
  const rowsOf = async (text: string) => {
    const dataset = { record: place, columnAliases: { ownerName: 'owner' } }
    const rows = await read(text, { size: 7, of: [dataset, {}, ['name', 'owner']] })
    return rows.map(({ values }) => values)
  }
  assert.deepEqual(await rowsOf('name,Owner.ID,owner.name,notes\nA,7,"Smith, J.",\nB,,,x\n'), [
    ['A', { id: '7', name: 'Smith, J.' }, ''],
    ['B', undefined, 'x'],
  ])
  assert.deepEqual(await rowsOf('name,ownerName\nA,Smith\n'), [['A', 'Smith', undefined]])
  // The columns are those of an export, so the export's apostrophes are removed.
  assert.deepEqual(await rowsOf("name,owner.id,owner.name,notes\n'=A,'-1,,\n"), [
    ['=A', { id: '-1', name: '' }, ''],
  ])
  await assert.rejects(rowsOf('name,owner.id,OWNER.ID\nA,1,2\n'), /both match the field owner\.id/)
})
