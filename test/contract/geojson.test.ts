import assert from 'node:assert/strict'
import { test } from 'node:test'
import FEATURE from 'geojson-schema/Feature.json' with { type: 'json' }
import FEATURE_COLLECTION from 'geojson-schema/FeatureCollection.json' with { type: 'json' }
import { Errors } from 'typebox/schema'
import { ISLAND } from '../support/island.ts'
import { build } from '../support/service.ts'

/* GeoJSON against the JSON Schema that the authors of RFC 7946 publish. */

const PLACES = ['carparks', 'toilets', 'recycling', 'defibrillators']

/** A collection that the schema accepts. */
function geojsonOf(body: string): {
  readonly features: readonly {
    readonly id: string
    readonly geometry: { readonly coordinates: readonly number[] } | null
    readonly properties: Readonly<Record<string, unknown>>
  }[]
} {
  const collection = JSON.parse(body)
  assert.deepEqual(Errors(FEATURE_COLLECTION, collection), [true, []])
  return collection
}

test('places are GeoJSON as its published schema has it, with every record', async t => {
  const { app } = await build(t, ISLAND)
  for (const name of PLACES) {
    const { body, headers } = await app.inject(`/v1/${name}.geojson`)
    assert.equal(headers['content-type'], 'application/geo+json')
    assert.equal(headers['content-disposition'], undefined)
    const collection = geojsonOf(body)
    const { results } = (await app.inject(`/v1/${name}`)).json()
    assert.deepEqual(
      collection.features.map(({ properties }) => properties),
      results,
    )
    for (const { geometry, properties } of collection.features)
      assert.deepEqual(
        geometry?.coordinates ?? [null, null],
        [properties.longitude, properties.latitude],
        'longitude first',
      )
  }
})

test('chosen fields are the only properties, and the geometry and the id stay', async t => {
  const { app } = await build(t, ISLAND)
  const whole = geojsonOf((await app.inject('/v1/toilets.geojson')).body).features
  const { features } = geojsonOf((await app.inject('/v1/toilets.geojson?fields=name')).body)
  assert.deepEqual(
    features,
    whole.map(({ properties: { name }, ...feature }) => ({ ...feature, properties: { name } })),
  )
})

test('layers of OGC API - Features, whole and one by one, are GeoJSON as its published schema has it', async t => {
  const { app } = await build(t, ISLAND)
  for (const name of PLACES) {
    const address = `/ogc/collections/${name}/items`
    const { features } = geojsonOf((await app.inject(address)).body)
    assert.equal(features.length, (await app.inject(`/v1/${name}`)).json().results.length)
    for (const { id } of features) {
      const { body } = await app.inject(`${address}/${id}`)
      assert.deepEqual(Errors(FEATURE, JSON.parse(body)), [true, []])
    }
  }
})

test('the published schema refuses what is no GeoJSON', () => {
  const point = { type: 'Point', coordinates: [-2.1, 49.2] }
  const feature = { type: 'Feature', id: 'a', geometry: point, properties: {} }
  const isValid = (member: object) => Errors(FEATURE, { ...feature, ...member })[0]
  assert.equal(isValid({}), true)
  for (const wrong of [
    { type: 'feature' },
    { id: null },
    { geometry: undefined },
    { geometry: { ...point, coordinates: [-2.1] } },
    { geometry: { ...point, coordinates: ['-2.1', '49.2'] } },
    { properties: [] },
  ])
    assert.equal(isValid(wrong), false, JSON.stringify(wrong))
})
