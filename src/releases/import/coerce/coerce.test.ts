import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { CALENDAR_DATE, CODE } from '../../../query/fields.ts'
import { type FieldSchema, Rejection } from '../importable.ts'
import { coercerOf } from './coerce.ts'

const nullable = (type: string) => ({ type: [type, 'null'] })
const owner: FieldSchema = {
  type: 'object',
  properties: { id: { ...nullable('string'), format: 'uuid' }, name: nullable('string') },
  default: { id: null, name: null },
}
const WORDS = ['LONG_STAY', 'SHORT_STAY', 'UNKNOWN']

function make(schema: FieldSchema, name = 'field') {
  const coerce = coercerOf(schema, name)
  return (raw: unknown, warnings: string[] = []) =>
    coerce(raw, name, (field, _value, reason) => warnings.push(`${field} ${reason}`))
}

/** Checks rows of a raw value and its coerced value; a regular expression is the reason of a rejection. */
function check(schema: FieldSchema, rows: [raw: unknown, becomes: unknown][], name = 'field') {
  const coerce = make(schema, name)
  for (const [raw, becomes] of rows) {
    const about = `${JSON.stringify(schema)} of ${JSON.stringify(raw)}`
    if (becomes instanceof RegExp)
      assert.throws(() => coerce(raw), { name: 'Rejection', message: becomes }, about)
    else assert.deepStrictEqual(coerce(raw), becomes, about)
  }
}

test('numbers: JSON numbers or plain decimal digits, nothing that has two readings', () => {
  const plain = /must be a number in plain decimal digits/
  check({ type: 'number' }, [
    [1800, 1800],
    ['1800.0', 1800],
    [' -2.5 ', -2.5],
    ['+7', 7],
    ['.5', 0.5],
    ['-0', 0],
    [-0, 0],
    ...[
      '1,5',
      '1e5',
      '0x10',
      '12 cc',
      'Infinity',
      'NaN',
      '٣',
      '1 000',
      '9'.repeat(400),
      '-',
      '.',
      true,
      {},
      [1],
    ].map(raw => [raw, plain] as [unknown, RegExp]),
    [Number.POSITIVE_INFINITY, plain],
    [Number.NaN, plain],
    ['', /must not be blank/],
    [null, /must not be blank/],
  ])
  check({ type: 'integer', minimum: 0 }, [
    ['1800.0', 1800],
    ['1800.5', /must be a whole number/],
    ['90071992547409930', /too large to be kept exactly/],
    [-1, /must be at least 0/],
  ])
  check({ ...nullable('integer'), minimum: 1000, maximum: 2200 }, [
    [' ', null],
    [null, null],
    [undefined, null],
    ['999', /must be from 1000 to 2200/],
  ])
  check({ type: 'number', maximum: 5 }, [[6, /must be at most 5/]])
})

test('a number with a comma, or a word for no value, is rejected with what to write', () => {
  const comma = /: a point, not a comma, before decimals, and nothing between thousands$/
  check(nullable('number'), [
    ['49,18', comma],
    ['-2,10', comma],
    ['1.234,5', comma],
    ['1,800', comma],
    ['4x,5', /plain decimal digits$/],
    ...['NULL', 'n/a', '#N/A', 'None', '-'].map(
      raw =>
        [raw, /plain decimal digits; leave the cell empty where there is no value$/] as [unknown, RegExp],
    ),
  ])
  check({ type: 'integer' }, [['NULL', /must be a whole number in plain decimal digits$/]])
})

test('a word for no value is a blank with a warning where a text may be blank, else a rejection', () => {
  const words = ['NULL', 'null', 'N/A', ' n/a ', '#N/A', 'None', 'none', '-']
  const list: FieldSchema = { type: 'array', items: { type: 'string', 'x-known-values': WORDS } }
  const optional: [FieldSchema, unknown][] = [
    [nullable('string'), null],
    [{ type: 'string', default: 'Not Specified' }, 'Not Specified'],
    [{ type: ['string', 'null'], 'x-known-values': WORDS }, null],
    [list, []],
  ]
  for (const word of words) {
    for (const [schema, blank] of optional) {
      const warnings: string[] = []
      assert.deepEqual(make(schema)(word, warnings), blank, word)
      // JSON text has null for a blank.
      if (schema === list && word === 'null') assert.deepEqual(warnings, [])
      else assert.deepEqual(warnings, ['field stands for "no value": published as blank'])
    }
    check({ type: 'string' }, [[word, /^stands for "no value", but this field must have one$/]])
  }
  check(list, [['LONG_STAY, none', /stands for "no value"/]])
  check(nullable('string'), [
    ['None of them', 'None of them'],
    ['na', 'na'],
    ['--', '--'],
  ])
  const warnings: string[] = []
  assert.deepEqual(make(owner, 'owner')('N/A', warnings), { id: null, name: null })
  assert.deepEqual(warnings, ['owner.name stands for "no value": published as blank'])
})

test('no-break blanks become blanks and invisible characters go, with a warning; runs of blanks stay', () => {
  const reason = 'field has no-break blanks (published as blanks) or invisible characters (left out)'
  const rows: [FieldSchema, string, unknown][] = [
    [{ type: 'string' }, 'LAND\u00a0ROVER', 'LAND ROVER'],
    [{ type: 'string' }, 'LAND\u202f ROVER', 'LAND  ROVER'],
    [{ type: 'string' }, 'FORD\u200b', 'FORD'],
    [{ type: 'string' }, '\u200e FORD', 'FORD'],
    [nullable('string'), '\u200b', null],
    [{ type: 'string', enum: WORDS }, 'long\u00a0stay', 'LONG_STAY'],
    [nullable('number'), '49.18\u200e', 49.18],
    [{ type: 'string', format: 'date-time' }, '\u202a2024-07-01\u202c', '2024-07-01T00:00:00.000Z'],
  ]
  for (const [schema, raw, becomes] of rows) {
    const warnings: string[] = []
    assert.deepEqual(make(schema)(raw, warnings), becomes)
    assert.deepEqual(warnings, [reason])
  }
  const silent: string[] = []
  assert.equal(make({ type: 'string' })('\u00a0LAND  ROVER\u00a0', silent), 'LAND  ROVER')
  assert.deepEqual(silent, [])
})

test('a code keeps its digits, or gets back those that a spreadsheet has left', () => {
  const lost = /a spreadsheet wrote as a number, without all of its digits/
  check({ ...nullable('string'), [CODE]: true }, [
    ['05011', '05011'],
    [5011, '5011'],
    ['5011.0', '5011'],
    ['5.011E+03', '5011'],
    ['5.0110e+03', '5011'],
    ['5.98E+04', lost],
    ['5E+03', lost],
    ['5011.5', lost],
    ['GREENST', 'GREENST'],
    ['', null],
  ])
  check(nullable('string'), [['5011.0', '5011.0']])
})

test('coordinates keep 8 decimals', () => {
  const degrees = { ...nullable('number'), minimum: -90, maximum: 90 }
  check(
    degrees,
    [
      ['49.177931884999', 49.17793188],
      [-0.000000001, 0],
      [90.1, /from -90 to 90/],
    ],
    'latitude',
  )
  check(degrees, [['49.177931884999', 49.177931884999]], 'height')
})

test('flags', () => {
  check({ type: 'boolean' }, [
    ...[true, 1, '1', 'TRUE', ' yes '].map(raw => [raw, true] as [unknown, boolean]),
    ...[false, 0, '0', 'False', 'no', '', undefined].map(raw => [raw, false] as [unknown, boolean]),
    ...['maybe', 2, {}, ['true']].map(raw => [raw, /must be true or false/] as [unknown, RegExp]),
  ])
})

test('text is trimmed, composed, and free of control characters', () => {
  check({ type: 'string' }, [
    ['  Gorey Pier\u00a0 ', 'Gorey Pier'],
    ['Cafe\u0301', 'Café'],
    ['two\r\nlines\tand a tab', 'two\nlines\tand a tab'],
    [59821, '59821'],
    [-1.5, '-1.5'],
    [1e21, /no plain decimal form/],
    ['a\u0000b', /control character/],
    ['a\u001b[31mb', /control character/],
    ['a\u0085b', /control character/],
    ['a\ufffdb', /was damaged before/],
    ['a\ud800b', /was damaged before/],
    [true, /must be text/],
    [{}, /must be text/],
    ['x'.repeat(100_001), /has 100001 characters; at most 100000/],
    ['', /must not be blank/],
  ])
  check({ type: 'string', default: '' }, [
    ['  ', ''],
    [undefined, ''],
  ])
  check(nullable('string'), [['', null]])
  check({ type: 'string', pattern: '^[0-9]+$' }, [
    ['12', '12'],
    ['1x', /must match/],
  ])
})

test('text that was encoded twice is accepted with a warning', () => {
  const warnings: string[] = []
  assert.equal(make({ type: 'string' })('CafÃ©', warnings), 'CafÃ©')
  assert.match(warnings.join(), /looks like UTF-8 that was read in another encoding/)
  assert.equal(make({ type: 'string' })('Café – Ã', []), 'Café – Ã')
})

test('times', () => {
  const time = { type: 'string', format: 'date-time' }
  const form = /must be a date as DD\/MM\/YYYY or YYYY-MM-DD, or an ISO 8601 time with its offset/
  check(time, [
    ['2024-07-01T13:01:56.000Z', '2024-07-01T13:01:56.000Z'],
    ['2024-07-01t13:01:56.123456789z', '2024-07-01T13:01:56.123Z'],
    ['2024-07-01 00:30+01:00', '2024-06-30T23:30:00.000Z'],
    ['2024-07-01T13:01:56+0100', '2024-07-01T12:01:56.000Z'],
    ['2024-07-01', '2024-07-01T00:00:00.000Z'],
    ['2024/02/29', '2024-02-29T00:00:00.000Z'],
    ['13/09/1948', '1948-09-13T00:00:00.000Z'],
    ['13/09/1948 00:00', '1948-09-13T00:00:00.000Z'],
    ['2024-03-11 00:00:00.000', '2024-03-11T00:00:00.000Z'],
    ['30/02/2023', /does not exist/],
    ['2023-02-30', /does not exist/],
    ['2023-02-30T10:00:00Z', /does not exist/],
    ['2023-02-20T25:00:00Z', /does not exist/],
    ['2023-02-20T10:00:00+99:00', /does not exist/],
    ['00/00/0000', /does not exist/],
    ['01/01/1799', /must lie in the years 1800 to 2200/],
    ['01/01/2201', /must lie in the years/],
    ...[
      '1/2/2024',
      '01-02-2024',
      '2024-7-1',
      '2024-07-01T13:01',
      'yesterday',
      45000,
      '20240701',
      '01/02/24',
    ].map(raw => [raw, form] as [unknown, RegExp]),
  ])
})

test('a calendar date is midnight UTC of the date that is written, whatever time and offset follow', () => {
  const date = { ...nullable('string'), format: 'date-time', [CALENDAR_DATE]: true as const }
  const rows: [unknown, unknown][] = [
    ['1969-12-31T23:00:00.000Z', '1969-12-31T00:00:00.000Z'],
    ['2024-07-01T00:00:00+01:00', '2024-07-01T00:00:00.000Z'],
    ['2024-06-30 23:30:00-0400', '2024-06-30T00:00:00.000Z'],
    ['01/07/2024', '2024-07-01T00:00:00.000Z'],
    ['2024-02-30T00:00:00+01:00', /does not exist/],
    ['', null],
  ]
  check(date, rows, 'on')
})

test('UUIDs are lower-cased', () => {
  const id = '03d8bf66-e451-4a20-b3e5-96f8c1293f2c'
  check({ type: 'string', format: 'uuid' }, [
    [id.toUpperCase(), id],
    ['03d8bf66e4514a20b3e596f8c1293f2c', /must be a UUID such as/],
    [12, /must be a UUID/],
  ])
})

describe('words', () => {
  test('of a closed list: spelling is corrected, others are rejected with the nearest', () => {
    check({ type: 'string', enum: WORDS }, [
      [' long stay ', 'LONG_STAY'],
      ['Short-Stay', 'SHORT_STAY'],
      ['LONGSTAY', /must be one of LONG_STAY, SHORT_STAY, UNKNOWN; LONG_STAY may be meant/],
      ['meadow', /must be one of LONG_STAY, SHORT_STAY, UNKNOWN$/],
      ['__proto__', /must be one of/],
    ])
  })

  test('open enumerations: other values are accepted with a warning', () => {
    const schema = { type: 'string', 'x-known-values': ['HEAVY_OIL', 'PETROL'], default: 'UNKNOWN' } as const
    check(schema, [
      ['Heavy Oil', 'HEAVY_OIL'],
      ['hydrogen cell', 'HYDROGEN_CELL'],
      ['', 'UNKNOWN'],
    ])
    const warnings: string[] = []
    make(schema)('Petrl', warnings)
    make(schema)('Petrol', warnings)
    assert.deepEqual(warnings, ['field is not a known value (HEAVY_OIL, PETROL); PETROL may be meant'])
  })
})

test('lists: JSON, JSON text, or text with commas', () => {
  check({ type: 'array', items: { type: 'string', enum: WORDS } }, [
    [
      ['UNKNOWN', 'long stay'],
      ['UNKNOWN', 'LONG_STAY'],
    ],
    ['Long stay, SHORT_STAY,', ['LONG_STAY', 'SHORT_STAY']],
    ['["UNKNOWN"]', ['UNKNOWN']],
    ['', []],
    [undefined, []],
    ['null', []],
    ['["UNKNOWN"', /starts like JSON with \[ but is not JSON/],
    ['LONG_STAY,MEADOW', /must be one of/],
    [{ UNKNOWN: 'x', 'long stay': 0, OTHER: '' }, ['UNKNOWN']],
    [{ 0: 'UNKNOWN' }, /must be true or false/],
    [7, /must be a list/],
    [['UNKNOWN', null], /must not be blank/],
  ])
})

test('objects: JSON, JSON text, or the name of what has a name', () => {
  const id = '6060f60d-17a1-49c8-aa4a-c268721a806a'
  check(owner, [
    [
      { name: ' Ports of Jersey ', id, other: 1 },
      { id, name: 'Ports of Jersey' },
    ],
    [`{"id":"${id}"}`, { id, name: null }],
    ['Ports of Jersey', { id: null, name: 'Ports of Jersey' }],
    ['', { id: null, name: null }],
    ['null', { id: null, name: null }],
    ['{"name":', /starts like JSON/],
    [[owner], /must be an object/],
    [5, /must be an object/],
    [JSON.parse('{"__proto__":{"name":"x"}}'), { id: null, name: null }],
  ])
  check({ type: ['object', 'null'], properties: { cubicles: { type: 'integer' } } }, [
    [null, null],
    ['null', null],
    ['two', /must be an object/],
  ])
})

test('a rejection names the member of an object and has its value', () => {
  assert.throws(
    () => make(owner, 'owner')({ id: 'x' }),
    error => error instanceof Rejection && error.field === 'owner.id' && error.value === 'x',
  )
})

test('a schema that nothing can read fails when the dataset is declared', () => {
  assert.throws(() => coercerOf({ anyOf: [] } as FieldSchema, 'odd'), {
    message: /field odd: a source cannot be coerced/,
  })
})

test('an object without a text in place of a number is rejected', () => {
  const raw = JSON.parse('{"toString":null}')
  assert.throws(() => make({ type: 'number' }, 'weight')(raw), Rejection)
})

test('a coerced value is not changed again', () => {
  const fields: [FieldSchema, string][] = [
    [{ type: 'number' }, 'weight'],
    [nullable('number'), 'latitude'],
    [{ type: 'integer' }, 'spaces'],
    [{ type: 'boolean' }, 'open'],
    [nullable('string'), 'notes'],
    [{ ...nullable('string'), [CODE]: true }, 'code'],
    [{ type: 'string', default: '' }, 'model'],
    [{ ...nullable('string'), format: 'date-time' }, 'at'],
    [{ type: 'string', enum: WORDS }, 'type'],
    [{ type: 'string', 'x-known-values': WORDS }, 'fuel'],
    [{ type: 'array', items: { type: 'string', 'x-known-values': WORDS } }, 'services'],
    [owner, 'owner'],
  ]
  const raw = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.double().map(String),
    fc.date({ noInvalidDate: true }).map(date => date.toISOString()),
    fc.string({ unit: 'binary' }),
    fc.mixedCase(fc.constantFrom('long stay', 'yes', 'unknown , short-stay', '{"name":" a "}', '[" a"]')),
    fc.constantFrom('N/A', '-', ' \u200b- ', 'a\u00a0b', '1.50E+02', '2024-07-01T00:00:00+01:00'),
  )
  fc.assert(
    fc.property(fc.constantFrom(...fields), raw, ([schema, name], value) => {
      const coerce = make(schema, name)
      let once: unknown
      try {
        once = coerce(value)
      } catch (error) {
        assert.ok(error instanceof Rejection, String(error))
        return
      }
      assert.deepStrictEqual(coerce(once), once)
      assert.deepStrictEqual(coerce(JSON.parse(JSON.stringify(once))), once)
    }),
    { numRuns: 3000 },
  )
})
