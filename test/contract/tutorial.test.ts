import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CARPARKS, ISLAND, OBSERVATION } from '../support/island.ts'
import { build, type TestApp } from '../support/service.ts'
import { pathsIn, strayAddresses } from '../support/tutorial.ts'

const BASE_URL = 'http://data.example'

const getFrom = (app: TestApp) => async (path: string) => {
  const { statusCode: status, body: text } = await app.inject(path)
  return { status, text }
}

const carparkOf = (paths: readonly string[]) =>
  paths
    .flatMap(path => /^\/v1\/carparks\/([^/?]+)/.exec(path)?.[1] ?? [])
    .filter(part => part !== 'live-spaces')

test('every address of the tutorial exists on the service that shows it', async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVATION })
  const { followed, stray } = await strayAddresses(getFrom(app), BASE_URL)
  assert.deepEqual(stray, [])
  assert.ok(followed.length > 10, followed.join())
  assert.deepEqual(carparkOf(followed), ['HARBST'])
})

test('without a feed its car park is one of the list', async t => {
  const { app } = await build(t, ISLAND)
  const { followed, stray } = await strayAddresses(getFrom(app), BASE_URL)
  assert.deepEqual(carparkOf(followed), [CARPARKS[0]?.id])
  // Nothing has been counted.
  assert.deepEqual(stray, ['503 /v1/carparks/live-spaces', '503 /v1/carparks/live-spaces'])
})

test('a car park that is there by the name that the tutorial gives it is left in it', async t => {
  const carparks = CARPARKS.map((carpark, index) => ({
    ...carpark,
    liveTrackingCode: ['QUAY', 'GRIFFINST'][index],
  }))
  const { app } = await build(t, { ...ISLAND, carparks }, { observation: OBSERVATION })
  const { followed, stray } = await strayAddresses(getFrom(app), BASE_URL)
  assert.deepEqual([carparkOf(followed), stray], [['GRIFFINST'], []])
})

test('of what is not published no address is unknown', async t => {
  const { app } = await build(t, { toilets: ISLAND.toilets })
  const { stray } = await strayAddresses(getFrom(app), BASE_URL)
  for (const line of stray) assert.match(line, /^503 \/v1\/(carparks|vehicles)/)
})

test('the reference has a car park of the service in its addresses too', async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVATION })
  for (const page of ['live-spaces', 'places']) {
    const { body } = await app.inject(`/docs/reference/${page}`)
    const paths = pathsIn(body, BASE_URL).filter(path => carparkOf([path]).length > 0)
    for (const path of paths) assert.equal((await app.inject(path)).statusCode, 200, path)
    assert.deepEqual([...new Set(carparkOf(paths))], ['HARBST'], page)
  }
})
