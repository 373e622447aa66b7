import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEMO_SEED } from '../../demo/island-facts.ts'
import { VEHICLE_COUNT, vehiclesCsv } from '../../demo/vehicles/vehicles.ts'
import { vehiclesSource } from './vehicles-source.ts'

const linesOf = (pieces: Iterable<string>) => [...pieces].join('').trimEnd().split('\n')

test('the first vehicles are the demo island’s, and more rows only add to them', () => {
  const demo = linesOf(vehiclesCsv(DEMO_SEED))
  const more = linesOf(vehiclesSource({ rows: VEHICLE_COUNT + 1234 }))
  assert.deepEqual(more.slice(0, demo.length), demo)
  assert.equal(more.length, 1 + VEHICLE_COUNT + 1234)
  assert.equal(more.filter(line => line.startsWith('MAKE,')).length, 1)
})

test('a number of rows that ends within a piece is kept to', () => {
  assert.equal(linesOf(vehiclesSource({ rows: 1 })).length, 2)
  assert.equal(linesOf(vehiclesSource({ rows: 1500 })).length, 1501)
})

test('the changed register differs in the colour of its first vehicle alone', () => {
  const before = linesOf(vehiclesSource({ rows: 2000 }))
  const after = linesOf(vehiclesSource({ rows: 2000, changed: true }))
  const differing = after.filter((line, i) => line !== before[i])
  assert.deepEqual(differing, [after[1]])
  assert.match(differing[0] ?? '', /,Benchmark Beige,/)
  assert.equal(differing[0]?.split(',').length, before[1]?.split(',').length)
})
