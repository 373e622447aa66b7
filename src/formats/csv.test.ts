import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import Type, { type TObject } from 'typebox'
import { Carpark } from '../datasets/carparks/schema.ts'
import * as field from '../datasets/fields.ts'
import { Toilet } from '../datasets/toilets/schema.ts'
import { batchesOf, type StoredRecord } from '../query/query.ts'
import { unguardFormula } from '../values/text.ts'
import { csv } from './csv.ts'

const Place = Type.Object({ name: Type.String(), notes: Type.String(), longitude: Type.Number() })

async function textOf(records: readonly StoredRecord[], schema: TObject): Promise<string> {
  return (await Readable.from(csv.write(batchesOf(records), schema)).toArray()).join('')
}

const headerOf = async (schema: TObject) => (await textOf([], schema)).split('\r\n')[0]

test('the header has the fields in the order of the schema, and in place of an object its members', async () => {
  assert.equal(
    await headerOf(Carpark),
    Object.keys(Carpark.properties).join(',').replace(',owner,', ',owner.id,owner.name,'),
  )
  const sides =
    'female.cubicles,female.handDryers,female.sinks,female.periodProducts,male.cubicles,male.urinals,'
  assert.ok((await headerOf(Toilet))?.includes(`,facilities,${sides}`))
})

test('lists are joined by commas, null is empty, flags are words', async () => {
  const record = {
    name: 'Green Street',
    payByPhoneCode: '05982',
    owner: { id: null, name: 'Government of Jersey' },
    paymentMethods: ['PAYCARD', 'SEASON_TICKET'],
    multiStorey: true,
    notes: null,
    spaces: 0,
  }
  const [row] = parse(await textOf([record], Carpark), { columns: true }) as Record<string, string>[]
  const { 'owner.id': id, 'owner.name': name, ...rest } = row ?? {}
  assert.deepEqual([id, name], ['', 'Government of Jersey'])
  assert.equal(rest.payByPhoneCode, '05982')
  assert.equal(rest.paymentMethods, 'PAYCARD,SEASON_TICKET')
  assert.equal(rest.multiStorey, 'true')
  assert.equal(rest.notes, '')
  assert.equal(rest.spaces, '0')
})

test('an object that is null leaves its cells empty; one of which nothing is known does not', async () => {
  const female = { cubicles: null, handDryers: null, sinks: null, periodProducts: [] }
  const text = await textOf([{ female, male: null, facilities: [] }], Toilet)
  const [row = {}] = parse(text, { columns: true }) as Record<string, string>[]
  const filled = Object.entries(row).filter(([, cell]) => cell !== '')
  assert.deepEqual(filled, [['female.periodProducts', '[]']])
})

test('a line of one empty cell is a record too', async () => {
  const text = await textOf([{ notes: '' }, { notes: 'a' }], Type.Object({ notes: Type.String() }))
  assert.equal(text, 'notes\r\n""\r\na\r\n')
})

test('numbers have no exponent, and a list whose items hold separators is JSON', async () => {
  const numbers = [1e21, -1.5e-7, 1.25e22, 5e-324, -0, 12.5]
  const rows = numbers.map(longitude => ({ name: '', notes: '', longitude }))
  const [, ...cells] = parse(await textOf(rows, Place)) as string[][]
  const written = cells.map(([, , longitude = '']) => longitude)
  assert.deepEqual(written.slice(0, 3), ['1000000000000000000000', '-0.00000015', '12500000000000000000000'])
  assert.deepEqual(written.map(Number), [...numbers.slice(0, 4), 0, 12.5])
  for (const text of written) assert.match(text, /^-?[\d.]+$/)
  for (const list of [['A,B'], ['A;B', 'C'], ['[A'], ['A|']]) {
    const [row] = parse(await textOf([{ facilities: list }], Toilet), { columns: true }) as {
      facilities: string
    }[]
    assert.equal(row?.facilities, JSON.stringify(list))
  }
})

test('text that a spreadsheet would run gets an apostrophe, numbers never', async () => {
  const triggers = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1']
  const records = triggers.map(name => ({ name, notes: '', longitude: -2.10985971 }))
  const [, ...rows] = parse(await textOf(records, Place)) as string[][]
  assert.deepEqual(
    rows,
    triggers.map(name => [`'${name}`, '', '-2.10985971']),
  )
})

test('text that a spreadsheet would take for another value is quoted, and values are not', async () => {
  const texts = ['0012', '1-2', '1E5', 'true', 'FALSE', 'E 208', '=1', 'Blue', "O'Neil", '']
  const Seen = Type.Object({
    name: Type.String(),
    isOpen: Type.Boolean(),
    at: field.timestamp({ description: '' }),
  })
  const records = texts.map(name => ({ name, isOpen: true, at: '2024-06-06T23:00:00.000Z' }))
  const [, ...lines] = (await textOf(records, Seen)).trimEnd().split('\r\n')
  assert.deepEqual(
    lines,
    ['"0012"', '"1-2"', '"1E5"', '"true"', '"FALSE"', '"E 208"', `"'=1"`, 'Blue', "O'Neil", ''].map(
      cell => `${cell},true,2024-06-06T23:00:00.000Z`,
    ),
  )
})

test('whatever text and numbers records hold, a CSV reader gets them back', async () => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', "'", '=', '-', ' ', 'é') }),
  )
  const record = fc.record({
    name: cell,
    notes: cell,
    longitude: fc.double({ noNaN: true, noDefaultInfinity: true }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(record), async records => {
      const [header, ...rows] = parse(await textOf(records, Place)) as string[][]
      assert.deepEqual(header, ['name', 'notes', 'longitude'])
      assert.equal(rows.length, records.length)
      for (const [index, row] of rows.entries()) {
        const wanted = records[index]
        assert.equal(unguardFormula(row[0] ?? ''), wanted?.name)
        assert.equal(unguardFormula(row[1] ?? ''), wanted?.notes)
        assert.equal(Number(row[2]), wanted?.longitude === 0 ? 0 : wanted?.longitude)
      }
    }),
  )
})
