import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { Defibrillator } from '../datasets/defibrillators/schema.ts'
import { ProductRecall } from '../datasets/product-recalls/schema.ts'
import { Vehicle } from '../datasets/vehicles/schema.ts'
import { batchesOf } from '../query/query.ts'
import { geojson } from './geojson.ts'

const place = (latitude: number | null, longitude: number | null) => ({ id: 'a', latitude, longitude })

async function collectionOf(records: Record<string, unknown>[]) {
  return JSON.parse(
    (await Readable.from(geojson.write(batchesOf(records), Defibrillator)).toArray()).join(''),
  )
}

test('a place is a feature with its longitude first and the whole record as properties', async () => {
  assert.deepEqual(await collectionOf([place(49.17793188, -2.10985971)]), {
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        id: 'a',
        geometry: { type: 'Point', coordinates: [-2.10985971, 49.17793188] },
        properties: place(49.17793188, -2.10985971),
      },
    ],
  })
})

test('coordinates that are null, 0,0 or off the island give no geometry, and the record stays', async () => {
  const records = [place(null, null), place(0, 0), place(null, -2), place(49, null), place(49.18, 2.11)]
  const { features } = await collectionOf(records)
  assert.deepEqual(
    features,
    records.map(properties => ({ type: 'Feature', id: 'a', geometry: null, properties })),
  )
})

test('no records are an empty collection', async () => {
  assert.deepEqual(await collectionOf([]), { type: 'FeatureCollection', features: [] })
})

test('datasets without coordinates are refused, with the reason', () => {
  assert.equal(geojson.refusal?.(Defibrillator), undefined)
  assert.equal(geojson.refusal?.(Vehicle), 'its records have no coordinates')
  assert.equal(geojson.refusal?.(ProductRecall), 'its records have no coordinates')
})
