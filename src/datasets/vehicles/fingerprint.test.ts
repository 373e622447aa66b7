import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fingerprint } from './fingerprint.ts'

test('gives the fingerprints that clients of the register hold', () => {
  const lancia = {
    make: 'Lancia',
    fuelType: 'PETROL',
    firstRegisteredAt: '1948-09-13T00:00:00.000Z',
    firstRegisteredInJerseyAt: '2024-03-11T00:00:00.000Z',
    cylinderCapacity: 1418,
    co2Emissions: null,
  }
  const jaguar = {
    make: 'Jaguar',
    fuelType: 'PETROL',
    firstRegisteredAt: '1999-06-28T00:00:00.000Z',
    firstRegisteredInJerseyAt: '1999-06-28T00:00:00.000Z',
    cylinderCapacity: 3996,
    co2Emissions: null,
  }
  assert.equal(fingerprint(lancia), '121c70d140b15fc475e4141f9bf3d8a7bf1b9c1754338fd30da982c5a33cb35b')
  assert.equal(fingerprint(jaguar), '682e49c172c8e67a3ac09af74dfcf70433dc4da25d16aab6c8f9e421055b818a')
})

test('writes what is absent as NaN', () => {
  const blank = {
    make: 'Ford',
    fuelType: 'UNKNOWN',
    firstRegisteredAt: null,
    firstRegisteredInJerseyAt: null,
  }
  assert.notEqual(fingerprint(blank), fingerprint({ ...blank, co2Emissions: 0 }))
  assert.equal(fingerprint(blank), fingerprint({ ...blank, cylinderCapacity: null, co2Emissions: null }))
})
