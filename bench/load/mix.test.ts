import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SampledVehicle, vehicleMix } from './mix.ts'

const MAKES = ['Ford', 'Citroën', 'Mercedes-Benz', 'BMW']
const MODELS = ['FIESTA ZETEC', 'C4', 'A 180', '320D', '', 'GOLF']

const sample: SampledVehicle[] = Array.from({ length: 600 }, (_, i) => ({
  make: MAKES[i % 4] ?? '',
  model: MODELS[i % 6] ?? '',
  color: i % 3 === 0 ? 'Blue' : 'Red',
  fuelType: i % 5 === 0 ? 'ELECTRIC' : 'PETROL',
  firstRegisteredAt: `${1990 + (i % 30)}-0${1 + (i % 9)}-11T00:00:00.000Z`,
  firstRegisteredInJerseyAt: i % 50 === 0 ? null : `${1992 + (i % 30)}-0${1 + (i % 9)}-12T00:00:00.000Z`,
}))
const options = { sample, rows: 131_000, count: 1000, seed: 1 }

test('the mix has as many distinct queries as asked for, and the same ones every time', () => {
  const mix = vehicleMix(options)
  assert.equal(new Set(mix).size, 1000)
  assert.deepEqual(vehicleMix(options), mix)
  assert.notDeepEqual(vehicleMix({ ...options, seed: 2 }), mix)
})

test('it asks in every way that consumers do', () => {
  const queries = vehicleMix(options).map(address => new URLSearchParams(address.split('?')[1]))
  const having = (...names: string[]) =>
    queries.filter(query => {
      const given = [...query.keys()].filter(name => name !== 'page')
      return given.length === names.length && names.every(name => given.includes(name))
    }).length
  assert.ok(having('make') > 0 && having('model') > 100 && having('make', 'color') > 20)
  assert.ok(having('fuelType', 'startDate', 'endDate') > 20)
  assert.ok(having('startDate', 'endDate') > 20 && having('startDate', 'endDate', 'dateType') > 20)
  assert.ok(having('make', 'model', 'color', 'fuelType') > 20 && having() > 10)
  assert.ok(queries.some(query => query.get('model')?.startsWith('zq')))
  assert.ok(queries.every(query => [...query.values()].every(value => value !== '')))
  assert.ok(queries.every(query => (query.get('startDate') ?? '') <= (query.get('endDate') ?? '')))
})

test('most pages are among the first ten, some are deep, and none is beyond the register', () => {
  const pages = vehicleMix(options).map(address => Number(/page=(\d+)/.exec(address)?.[1] ?? 1))
  assert.ok(pages.filter(page => page <= 10).length > 800)
  assert.ok(pages.some(page => page > 500))
  assert.ok(Math.max(...pages) <= 131_000 / 30)
})

test('there is no mix without a sample', () => {
  assert.throws(() => vehicleMix({ ...options, sample: [] }), RangeError)
})
