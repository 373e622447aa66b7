import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ISLAND, OBSERVATION } from '../support/island.ts'
import { build } from '../support/service.ts'

test('addresses', async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVATION })

  await t.test('may end with a slash', async () => {
    for (const url of [
      '/v1/vehicles',
      '/v1/vehicles/makes',
      '/v1/carparks',
      '/v1/carparks/HARBST',
      '/v1/datasets',
    ]) {
      const plain = await app.inject(`${url}?limit=2`)
      const slashed = await app.inject(`${url}/?limit=2`)
      assert.equal(slashed.statusCode, 200, url)
      assert.equal(slashed.body, plain.body)
      assert.equal(slashed.headers.etag, plain.headers.etag)
    }
  })

  await t.test('that lead nowhere are 404 with the nearest that leads somewhere', async () => {
    const meant = {
      '/v1/vehicle': '/v1/vehicles',
      '/v1/toilet': '/v1/toilets',
      '/v1/Recycling': '/v1/recycling',
      '/v1/vehicles/stats/color': '/v1/vehicles/stats/colors',
      '/v1/defibrilators?x=1': '/v1/defibrillators',
      '/openapi.jsn': '/openapi.json',
    }
    for (const [url, nearest] of Object.entries(meant)) {
      const response = await app.inject(url)
      assert.equal(response.statusCode, 404)
      assert.equal(response.json().code, 'NOT_FOUND')
      assert.ok(response.json().detail.includes(`Did you mean ${nearest}?`), response.json().detail)
    }
    const far = await app.inject('/something/quite/different/from/anything/that/there/is')
    assert.equal(far.json().detail, 'No such path.')
    for (const url of ['/nothing', '/v1/nothing', '/v1/vehicles/stats/tyres', '/v1/roads'])
      assert.equal((await app.inject(url)).json().detail, 'No such path.', url)
  })

  await t.test("of the operator's are not on the public port", async () => {
    for (const url of ['/metrics', '/livez', '/readyz', '/metrics/', '/v1/metrics'])
      for (const method of ['GET', 'HEAD', 'POST'] as const)
        assert.equal((await app.inject({ method, url })).statusCode, 404, `${method} ${url}`)
  })

  await t.test('answer JSON to whoever takes it, 406 to others', async () => {
    const status = async (accept: string) =>
      (await app.inject({ url: '/v1/toilets', headers: { accept } })).statusCode
    for (const accept of ['*/*', 'application/json', 'application/*;q=0.1', 'text/html, */*;q=0.1', ''])
      assert.equal(await status(accept), 200, accept)
    for (const accept of ['image/png', 'text/html', 'application/json;q=0', 'nonsense'])
      assert.equal(await status(accept), 406, accept)
    const { headers } = await app.inject('/v1/toilets')
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  })

  await t.test('carry the headers that keep browsers safe', async () => {
    for (const url of [
      '/',
      '/docs',
      '/docs/api/listVehicles',
      '/v1/toilets',
      '/v1/nothing',
      '/v1/vehicles?page=0',
      '/problems/not-found',
    ]) {
      const { headers } = await app.inject(url)
      assert.equal(headers['x-content-type-options'], 'nosniff', url)
      assert.equal(headers['referrer-policy'], 'no-referrer', url)
      const policy = String(headers['content-security-policy'])
      assert.match(policy, /default-src '(none|self)'/, url)
      assert.match(policy, /frame-ancestors 'none'/, url)
      assert.doesNotMatch(policy, /unsafe-|https?:|upgrade/, url)
      assert.equal(headers['x-powered-by'], undefined)
      assert.equal(headers.server, undefined)
    }
  })

  await t.test('of pages load nothing from elsewhere', async () => {
    for (const url of ['/', '/docs', '/docs/', '/docs/api/listVehicles', '/problems/not-found']) {
      const { body } = await app.inject(url)
      const loaded = body.replaceAll(/<link rel="(?:canonical|alternate)"[^>]*>/g, '')
      for (const [, address] of loaded.matchAll(/<(?:script|link|img|iframe)[^>]*?(?:src|href)="([^"]*)"/g))
        assert.doesNotMatch(String(address), /^(?:https?:)?\/\//, url)
      // Data that a script reads is not run (HTML, data blocks).
      assert.doesNotMatch(body, /<script(?![^>]*\b(?:src=|type="application\/(?:ld\+)?json"))[^>]*>/, url)
    }
  })
})

test('request bodies are never read: an unknown path is 404 whatever the request sends', async t => {
  const { app } = await build(t)
  const bodies = ['{', '', 'x'.repeat(100_000)]
  for (const payload of bodies)
    for (const type of ['application/json', 'text/plain', 'image/png']) {
      const { statusCode } = await app.inject({
        method: 'POST',
        url: '/v1/nothing',
        payload,
        headers: { 'content-type': type },
      })
      assert.equal(statusCode, 404, `${payload.length} bytes of ${type}`)
    }
})

test('the suggested path has the documented form', async t => {
  const { app } = await build(t)
  assert.match(
    (await app.inject('/v1/carparks/idOrCode/x')).json().detail,
    /Did you mean \/v1\/carparks\/\{idOrCode\}\?/,
  )
})
