import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { test } from 'node:test'
import { ISLAND, OBSERVATION } from '../support/island.ts'
import { build } from '../support/service.ts'

const ALLOW = 'GET, HEAD, OPTIONS'
const ADDRESSES = [
  '/v1/vehicles',
  '/v1/carparks/HARBST',
  '/v1/carparks/live-spaces',
  '/v1/toilets/',
  '/docs',
  '/',
]

test('the service is read-only', async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVATION })

  await t.test('every other method on a known address is 405 with Allow', async () => {
    const others = METHODS.filter(method => !['GET', 'HEAD', 'OPTIONS', 'CONNECT'].includes(method))
    assert.ok(others.includes('PROPFIND'))
    for (const url of ADDRESSES)
      for (const method of others) {
        const response = await app.inject({ method: method as 'POST', url })
        assert.equal(response.statusCode, 405, `${method} ${url}`)
        assert.equal(response.headers.allow, ALLOW)
        assert.equal(response.json().code, 'METHOD_NOT_ALLOWED')
      }
  })

  await t.test('it is 405 whatever body and media type come with it', async () => {
    for (const type of ['application/json', 'image/png', 'nonsense']) {
      const headers = { 'content-type': type, accept: 'image/png' }
      const payload = '{'.repeat(5000)
      const response = await app.inject({ method: 'POST', url: '/v1/vehicles', headers, payload })
      assert.equal(response.statusCode, 405, type)
    }
  })

  await t.test('OPTIONS says what is allowed (RFC 9110 9.3.7)', async () => {
    for (const url of ADDRESSES) {
      const response = await app.inject({ method: 'OPTIONS', url })
      assert.equal(response.statusCode, 204)
      assert.equal(response.body, '')
      assert.equal(response.headers.allow, ALLOW, url)
    }
  })

  await t.test('another method on an unknown address is 404', async () => {
    assert.equal((await app.inject({ method: 'DELETE', url: '/v1/nothing' })).statusCode, 404)
  })
})
