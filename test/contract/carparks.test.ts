import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CARPARKS, ISLAND } from '../support/island.ts'
import { build } from '../support/service.ts'

test('car parks (spec 4.6, 4.7)', async t => {
  const { app } = await build(t, ISLAND)

  await t.test('the list has every field but createdAt', async () => {
    const expected = { results: CARPARKS.map(({ createdAt: _, ...carpark }) => carpark) }
    assert.equal((await app.inject('/v1/carparks')).body, JSON.stringify(expected))
  })

  await t.test('one by itself has every field but paymentMethods, and is not wrapped', async () => {
    for (const { paymentMethods: _, ...carpark } of CARPARKS)
      assert.equal((await app.inject(`/v1/carparks/${carpark.id}`)).body, JSON.stringify(carpark))
  })

  await t.test('it is found by id and by live tracking code, in whatever case', async () => {
    const { body } = await app.inject(`/v1/carparks/${CARPARKS[0]?.id}`)
    for (const name of ['HARBST', 'harbst', 'HarbSt', CARPARKS[0]?.id.toUpperCase(), '%48ARBST'])
      assert.equal((await app.inject(`/v1/carparks/${name}`)).body, body, name)
  })

  await t.test('one that is not there is 404, with the nearest code', async () => {
    for (const name of ['HARBTS', 'null', '__proto__', 'constructor', CARPARKS[0]?.id.replace('0b', '0c')]) {
      const response = await app.inject(`/v1/carparks/${name}`)
      assert.equal(response.statusCode, 404, name)
      assert.equal(response.json().code, 'NOT_FOUND')
    }
    const [error] = (await app.inject('/v1/carparks/HARBTS')).json().errors
    assert.equal(error.nearest, 'HARBST')
    const [byName] = (await app.inject('/v1/carparks/HARBOURSTREET')).json().errors
    assert.equal(byName.nearest, 'HARBST')
  })

  await t.test('a phone code is a string of digits that keeps its leading nought, or null', async () => {
    const { results } = (await app.inject('/v1/carparks')).json()
    assert.deepEqual(
      results.map(({ payByPhoneCode }: { payByPhoneCode: unknown }) => payByPhoneCode),
      ['05921', null],
    )
  })
})

test('a phone code that a source has as a number is served as a string, and paymentType never', async t => {
  const carparks = CARPARKS.map(carpark => ({ ...carpark, payByPhoneCode: 5921, paymentType: 'FREE' }))
  const { app } = await build(t, { carparks })
  const bodies = [await app.inject('/v1/carparks'), await app.inject('/v1/carparks/HARBST')]
  for (const { body } of bodies) {
    assert.match(body, /"payByPhoneCode":"5921"/)
    assert.doesNotMatch(body, /paymentType/)
  }
})
