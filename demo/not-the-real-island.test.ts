import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { carparks } from './datasets/carparks.ts'
import { defibrillators } from './datasets/defibrillators.ts'
import { PARISHES } from './datasets/places.ts'
import { productRecalls } from './datasets/product-recalls.ts'
import { recyclingCentres } from './datasets/recycling.ts'
import { toilets } from './datasets/toilets.ts'
import { DEMO_SEED, OWNER_NAMES } from './island-facts.ts'

const REAL = fileURLToPath(new URL('../../shared/data/', import.meta.url))
const FOLDERS = ['carparks', 'toilets', 'recycling', 'defibrillators', 'recalls', 'companies', 'geo']
const COAST = `${REAL}geo/jersey-countries-coastline-1m.geojson`
const skip = existsSync(COAST) ? false : 'the real data is not here (../shared/data)'

type Point = readonly [longitude: number, latitude: number]
type Place = { readonly id: string; readonly latitude: number | null; readonly longitude: number | null }

const PLACES: readonly (readonly Place[])[] = [carparks, toilets, recyclingCentres, defibrillators].map(
  list => list(DEMO_SEED).results,
)

describe('the synthetic island beside the real one', { skip }, () => {
  test('no id of the island is that of something real', () => {
    const real = realText()
    const recalls = productRecalls(DEMO_SEED).results.map(({ id }) => `"id": ${id},`)
    const owners = carparks(DEMO_SEED).results.map(({ owner }) => owner.id)
    const ids = [...PLACES.flat().map(({ id }) => id), ...owners, ...recalls]
    assert.ok(ids.length > 1000 && real.length > 10_000)
    assert.deepEqual(
      ids.filter(id => real.includes(id)),
      [],
    )
  })

  test('no parish, place, owner or live code of the island is in a real list', () => {
    const real = realText().toLowerCase()
    const names = [
      ...PARISHES.map(({ name }) => name),
      ...OWNER_NAMES,
      ...carparks(DEMO_SEED).results.flatMap(({ name, liveTrackingCode }) => [
        name,
        liveTrackingCode ?? name,
      ]),
      ...toilets(DEMO_SEED).results.map(({ name }) => name),
      ...recyclingCentres(DEMO_SEED).results.map(({ location }) => location),
      ...defibrillators(DEMO_SEED).results.map(({ location }) => location),
    ]
    assert.ok(real.includes('st helier'))
    assert.deepEqual(
      names.filter(name => real.includes(JSON.stringify(name).toLowerCase())),
      [],
    )
  })

  test('every place lies on land within the real coast', () => {
    const coast = JSON.parse(readFileSync(COAST, 'utf8')).features[0].geometry.coordinates[0][0] as Point[]
    for (const { latitude, longitude } of PLACES.flat())
      if (latitude !== null && longitude !== null)
        assert.ok(isWithin(coast, [longitude, latitude]), `${latitude}, ${longitude} lies in the sea`)
  })
})

function realText(): string {
  const files = FOLDERS.flatMap(folder => readdirSync(REAL + folder).map(file => `${REAL}${folder}/${file}`))
  return files.map(file => readFileSync(file, 'utf8')).join('\n')
}

/** Counts the edges that a line due east crosses. */
function isWithin(ring: readonly Point[], [x, y]: Point): boolean {
  let isInside = false
  for (const [index, [x1, y1]] of ring.entries()) {
    const [x2, y2] = ring[(index + 1) % ring.length] ?? [x1, y1]
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside
  }
  return isInside
}
