import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { createColumns } from './columns.ts'

const record = Type.Object({
  make: Type.String(),
  color: Type.String(),
  co2Emissions: Type.Number(),
  firstRegisteredInJerseyAt: Type.String(),
})
const columnAliases = {
  CO2: 'co2Emissions',
  "Reg'd in Jersey": 'firstRegisteredInJerseyAt',
  colour: 'color',
  plate: null,
}
const create = (map?: Record<string, string>) => createColumns({ record, columnAliases }, map)
const assigned = (names: string[], map?: Record<string, string>) => [
  ...create(map).matchNames(names).assignment,
]

test('compares names without case, blanks and punctuation', () => {
  assert.deepEqual(assigned(["REG'D IN JERSEY", 'MAKE', 'CO₂', 'first_registered-in jersey at']), [
    ['firstRegisteredInJerseyAt', ['first_registered-in jersey at', "REG'D IN JERSEY"]],
    ['make', ['MAKE']],
    ['co2Emissions', ['CO₂']],
  ])
})

test('the map wins over a field of that name and over columnAliases', () => {
  assert.deepEqual(assigned(['color', 'colour', 'Paint'], { paint: 'color' }), [['color', ['Paint']]])
  assert.deepEqual(assigned(['make', 'colour'], { colour: 'make' }), [['make', ['colour']]])
})

test('reports unknown columns but not known ones that are ignored', () => {
  const columns = create()
  columns.matchNames(['make', 'Plate', 'Owner', '__proto__', 'constructor'])
  columns.matchNames(['Owner', 'keeper'])
  assert.deepEqual([...columns.ignored.keys()], ['Owner', '__proto__', 'constructor', 'keeper'])
})

test('a million unknown names cost no memory', () => {
  const columns = create()
  for (let at = 0; at < 100_000; at++) columns.matchNames([`name ${at}`])
  assert.equal(columns.ignored.size, 100)
})

test('refuses a map to a field that is not there, with the one that may be meant', () => {
  assert.throws(() => create({ Paint: 'colour' }), {
    message: /a field colour, but there is none \(color may be meant\)/,
  })
  assert.throws(() => create({ a: 'make', b: 'make' }), { message: /two columns to the field make/ })
})

test('refuses two names for one field unless one is its own and one an alias', () => {
  assert.throws(() => assigned(['make', 'MAKE']), {
    message: /"MAKE" and "make" both match|"make" and "MAKE" both match/,
  })
  assert.throws(
    () => createColumns({ record, columnAliases: { a: 'make', b: 'make' } }).matchNames(['a', 'b']),
    {
      message: /"a" and "b" both match the field make/,
    },
  )
})
