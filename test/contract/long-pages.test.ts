import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { ISLAND } from '../support/island.ts'
import { build } from '../support/service.ts'
import { DISTRIBUTED_TABLE_ENGINES } from '../support/store-engines.ts'

/* Pages above 1,000 entries are streamed. No byte tells. */

const ENTRIES = 2600
const LIMIT = 2500

const MAKES = ['Ford', 'Citroën', '208', '__proto__', 'constructor']
const VEHICLES = [
  'MAKE,MODEL,COLOUR,FIRST REGISTERED',
  ...Array.from({ length: ENTRIES }, (_, i) => `${MAKES[i % 5]},M "${i}",Blue,0${1 + (i % 9)}/02/2010`),
]
  .map(line => line.replace(/M "(\d+)"/, '"M ""$1"""'))
  .join('\n')

const RECALLS = Array.from({ length: ENTRIES }, (_, index) => ({
  ...ISLAND['product-recalls'][index % ISLAND['product-recalls'].length],
  id: ENTRIES - index,
}))

async function serve(t: TestContext, databaseUrl: string, TABLE_ENGINE: string) {
  const content = { vehicles: VEHICLES, 'product-recalls': RECALLS }
  const environment = { PAGE_LIMIT_MAX: '10000', VEHICLES_RATE_LIMIT: '0', TABLE_ENGINE }
  return build(t, content, { databaseUrl, environment })
}

const recordsOf = (body: string) => /^\{"pagination":\{[^}]*\},"results":\[(.*)\]\}$/s.exec(body)?.[1] ?? ''

for (const { name, emptyStore, tables } of DISTRIBUTED_TABLE_ENGINES)
  test(`long pages from ${name}`, async t => {
    const { app } = await serve(t, await emptyStore(t), tables?.engine ?? 'memory')
    for (const path of ['/v1/vehicles', '/v1/product-recalls']) {
      const buffered = await Promise.all(
        [1, 2, 3, 4, 5].map(async page => (await app.inject(`${path}?limit=500&page=${page}`)).body),
      )
      const totals = `"totalPages":2,"totalItems":${ENTRIES}`
      const expected = `{"pagination":{"page":1,"limit":${LIMIT},${totals}},"results":[${buffered.map(recordsOf).join()}]}`
      const url = `${path}?limit=${LIMIT}`

      await t.test(`${path}: every byte is that of shorter pages`, async () => {
        const { body, headers } = await app.inject(url)
        assert.ok(body === expected)
        assert.equal(headers['content-type'], 'application/json; charset=utf-8')
        assert.match(String(headers.link), /rel="next"/)
        const gzip = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } })
        assert.ok(gunzipSync(gzip.rawPayload).toString() === expected)
        const brotli = await app.inject({ url, headers: { 'accept-encoding': 'br' } })
        assert.ok(brotliDecompressSync(brotli.rawPayload).toString() === expected)
        assert.equal(new Set([headers.etag, gzip.headers.etag, brotli.headers.etag]).size, 3)
        const past = await app.inject(`${url}&page=9`)
        assert.deepEqual(past.json().results, [])
      })

      await t.test(`${path}: the tag is known before the page`, async () => {
        const { headers } = await app.inject(url)
        const again = await app.inject({ url, headers: { 'if-none-match': String(headers.etag) } })
        assert.deepEqual([again.statusCode, again.headers.etag], [304, headers.etag])
        const head = await app.inject({ url, method: 'HEAD' })
        assert.deepEqual([head.statusCode, head.headers.etag, head.body], [200, headers.etag, ''])
      })
    }
  })
