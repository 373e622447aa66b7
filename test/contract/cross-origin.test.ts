import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ISLAND } from '../support/island.ts'
import { build } from '../support/service.ts'

const origin = 'https://app.example'

test('any origin may read responses (CORS)', async t => {
  const { app } = await build(t, ISLAND, { environment: { UNAVAILABLE_DATASETS: 'recycling' } })

  await t.test('may read answers of every status', async () => {
    const statuses = {
      ...{ '/v1/toilets': 200, '/v1/nothing': 404, '/v1/vehicles?page=0': 400, '/v1/recycling': 503 },
      ...{ '/v1/carparks/%zz': 400, [`/v1/carparks/${'x'.repeat(101)}`]: 414, '/openapi.json': 200 },
    }
    for (const [url, status] of Object.entries(statuses)) {
      const response = await app.inject({ url, headers: { origin } })
      assert.equal(response.statusCode, status)
      assert.equal(response.headers['access-control-allow-origin'], '*', url)
    }
    const post = await app.inject({ method: 'POST', url: '/v1/toilets', headers: { origin } })
    assert.equal(post.headers['access-control-allow-origin'], '*')
    const { headers } = await app.inject('/v1/toilets')
    const again = await app.inject({
      url: '/v1/toilets',
      headers: { origin, 'if-none-match': String(headers.etag) },
    })
    assert.equal(again.statusCode, 304)
    assert.equal(again.headers['access-control-allow-origin'], '*')
  })

  await t.test('see the headers that mean something', async () => {
    const { headers } = await app.inject({ url: '/v1/vehicles', headers: { origin } })
    const exposed = String(headers['access-control-expose-headers']).split(', ')
    for (const name of ['ETag', 'Link', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'Ignored-Parameters'])
      assert.ok(exposed.includes(name), name)
  })

  await t.test('ask a preflight once a day', async () => {
    const headers = {
      origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'prefer',
    }
    const response = await app.inject({ method: 'OPTIONS', url: '/v1/vehicles', headers })
    assert.equal(response.statusCode, 204)
    assert.equal(response.headers['access-control-allow-origin'], '*')
    assert.equal(response.headers['access-control-allow-methods'], 'GET, HEAD, OPTIONS')
    assert.equal(response.headers['access-control-allow-headers'], 'prefer')
    assert.equal(response.headers['access-control-max-age'], '86400')
  })

  await t.test('are sent no cookie, and cannot send one', async () => {
    const { headers } = await app.inject({ url: '/v1/vehicles', headers: { origin } })
    assert.equal(headers['set-cookie'], undefined)
    assert.equal(headers['access-control-allow-credentials'], undefined)
  })
})
