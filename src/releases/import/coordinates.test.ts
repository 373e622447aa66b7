import assert from 'node:assert/strict'
import { test } from 'node:test'
import { warnOfCoordinates } from './coordinates.ts'

const noted = (record: Record<string, unknown>) => {
  const notes: string[] = []
  warnOfCoordinates(record, (field, _value, reason) => notes.push(`${field}: ${reason}`))
  return notes
}

test('places on the island and its reefs, and those without coordinates, are no matter', () => {
  for (const [latitude, longitude] of [
    [49.17793188, -2.10985971],
    [48.97, -2.13],
    [49.29, -1.93],
    [null, null],
    [undefined, undefined],
  ])
    assert.deepEqual(noted({ latitude, longitude }), [])
})

test('coordinates that cannot be right are noted with what may have happened', () => {
  assert.deepEqual(noted({ latitude: 0, longitude: 0 }), ['latitude: the coordinates are 0, 0'])
  assert.deepEqual(noted({ latitude: -2.1, longitude: 49.2 }), [
    'latitude: lies off the island; latitude and longitude may be swapped',
  ])
  assert.deepEqual(noted({ latitude: 49.2, longitude: 2.1 }), [
    'longitude: lies off the island; a minus sign may be missing',
  ])
  assert.deepEqual(noted({ latitude: 49.45, longitude: -2.55 }), ['latitude: lies off the island'])
  assert.deepEqual(noted({ latitude: 49.2, longitude: null }), [
    'longitude: is missing, but there is a latitude',
  ])
  assert.deepEqual(noted({ latitude: null, longitude: -2.1 }), [
    'latitude: is missing, but there is a longitude',
  ])
})
