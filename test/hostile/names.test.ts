import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ISLAND, OBSERVATION } from '../support/island.ts'
import { build } from '../support/service.ts'

/** Names that every object, or every array, has of its own. */
const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
]

const TABLE_ENGINE = [
  'MAKE,MODEL,COLOUR',
  ...NAMES.map(name => `${name},${name},${name}`),
  '7,x,7',
  '-1,y,-1',
].join('\n')

test('names with a meaning in JavaScript have none here', async t => {
  const members = Object.getOwnPropertyNames(Object.prototype)
  const content = { ...ISLAND, vehicles: TABLE_ENGINE }
  const { app } = await build(t, content, { observation: OBSERVATION })

  await t.test('they are makes and colours like any other', async () => {
    const expected = [...NAMES, '7', '-1'].sort().map(name => `"${name}":1`)
    for (const path of ['/v1/vehicles/makes', '/v1/vehicles/stats/colors'])
      assert.equal((await app.inject(path)).body, `{"results":{${expected.join(',')}}}`)
    for (const name of NAMES) {
      const { results } = (await app.inject(`/v1/vehicles?make=${name}&match=exact`)).json()
      assert.deepEqual(
        results.map(({ model }: { model: string }) => model),
        [name],
      )
    }
  })

  await t.test('as parameters they are unknown ones', async () => {
    const plain = (await app.inject('/v1/vehicles')).body
    for (const name of NAMES)
      for (const query of [
        `${name}=1`,
        `${name}[polluted]=1`,
        `${name}.polluted=1`,
        `a[${name}][polluted]=1`,
      ]) {
        const response = await app.inject(`/v1/vehicles?${query}`)
        assert.equal(response.statusCode, 200)
        assert.equal(response.body, plain)
        assert.ok(response.headers['ignored-parameters'], query)
        const strict = await app.inject({
          url: `/v1/toilets?${query}`,
          headers: { prefer: 'handling=strict' },
        })
        assert.equal(strict.statusCode, 400)
      }
  })

  await t.test('as values they are text where text is taken, and refused elsewhere', async () => {
    for (const name of NAMES) {
      assert.equal((await app.inject(`/v1/vehicles?dateType=${name}`)).statusCode, 200)
      for (const parameter of ['page', 'limit', 'fuelType', 'startDate', 'match'])
        assert.equal((await app.inject(`/v1/vehicles?${parameter}=${name}`)).statusCode, 400)
      const live = await app.inject(`/v1/carparks/live-spaces?includeCarparkInfo=${name}`)
      assert.equal(live.statusCode, 400)
      assert.equal((await app.inject(`/v1/carparks/${name}`)).statusCode, 404)
      assert.equal((await app.inject(`/problems/${name}`)).statusCode, 404)
    }
  })

  await t.test('lists and objects in a query are unknown parameters, repeated ones are refused', async () => {
    for (const query of ['make[]=a', 'make[0]=a', 'make[a]=b', 'make.a=b', 'make%5B%5D=a'])
      assert.ok((await app.inject(`/v1/vehicles?${query}`)).headers['ignored-parameters'], query)
    assert.equal((await app.inject('/v1/vehicles?make=a&make=b')).statusCode, 400)
    assert.equal((await app.inject(`/v1/vehicles?${'make=a&'.repeat(500)}`)).statusCode, 400)
  })

  await t.test('and every object is as it was', () => {
    assert.deepEqual(Object.getOwnPropertyNames(Object.prototype), members)
    assert.equal(({} as { polluted?: unknown }).polluted, undefined)
  })
})
