import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ISLAND, OBSERVATION } from '../support/island.ts'
import { addressOf, type OpenApi, parametersOf } from '../support/openapi.ts'
import { build } from '../support/service.ts'
import { until } from '../support/until.ts'

/* Holds every endpoint to what headers.md promises: equivalent queries have one ETag, one body and the same links. */

/** A stream has no end, and a file is asked for by its name alone. */
const LEFT_OUT = /\/stream$|\{file\}$/

test('a query with empty values or with its defaults is the query without them', async t => {
  const now = () => Date.parse(OBSERVATION.timestamp) + 60_000
  const { app } = await build(t, ISLAND, { observation: OBSERVATION, now })
  await until(async () => (await app.inject('/v1/datasets/toilets/files/1.csv')).statusCode === 200)
  const compared = { empty: 0, defaults: new Set<string>() }

  async function isSame(url: string, more: string) {
    const [plain, other] = [
      await app.inject(url),
      await app.inject(`${url}${url.includes('?') ? '&' : '?'}${more}`),
    ]
    const seen = ({ statusCode, body, headers }: typeof plain) => ({
      ...{ statusCode, body, etag: headers.etag, link: headers.link },
      ignored: headers['ignored-parameters'],
    })
    assert.equal(plain.statusCode, 200, url)
    assert.deepEqual(seen(other), seen(plain), `${url} with ${more}`)
  }

  for (const definition of ['/openapi.json', '/ogc/api']) {
    const document: OpenApi = (await app.inject(definition)).json()
    for (const [path, { get: operation }] of Object.entries(document.paths)) {
      if (LEFT_OUT.test(path)) continue
      const [, collection = ''] = /^\/ogc\/collections\/([\w-]+)/.exec(path) ?? []
      const [record] = ISLAND[collection as 'toilets'] ?? []
      const url = addressOf(path).replace('{featureId}', String(record?.id))
      const inQuery = parametersOf(document, operation).filter(parameter => parameter.in === 'query')
      for (const { name, schema } of inQuery) {
        await isSame(url, `${name}=`)
        compared.empty++
        const { default: fallback } = schema
        if (fallback === undefined) continue
        await isSame(url, `${name}=${encodeURIComponent(String(fallback))}`)
        compared.defaults.add(name)
      }
      if (inQuery.length > 0) await isSame(url, inQuery.map(({ name }) => `${name}=`).join('&'))
    }
  }
  assert.ok(compared.empty > 200, String(compared.empty))
  assert.deepEqual([...compared.defaults].sort(), [
    ...['bom', 'by', 'dateType', 'f', 'format', 'includeCarparkInfo', 'interval', 'limit', 'match'],
    ...['offset', 'page', 'pretty', 'profile', 'top'],
  ])

  await t.test('whatever else is asked, links of pages too', async () => {
    for (const [url, more] of [
      ['/v1/vehicles', 'page=1&limit=30'],
      ['/v1/vehicles', 'dateType=any'],
      ['/v1/vehicles?make=ford', 'dateType=firstEver&match=contains&limit=30&startDate='],
      ['/v1/vehicles?cursor=*', 'limit=30'],
      ['/v1/vehicles?cursor=*&format=csv', 'limit=30'],
      ['/v1/vehicles.csv', 'page=1&bom=0'],
      ['/v1/product-recalls?q=toy', 'limit=50&brand='],
      ['/v1/vehicles/stats', 'by=make'],
      ['/v1/vehicles/makes', 'dateType=other&endDate='],
      ['/ogc/collections/toilets/items?parish=St.%20Helier', 'f=json&limit=10&offset=0&bbox='],
    ] as const)
      await isSame(url, more)
    const { headers } = await app.inject('/v1/vehicles?limit=30&page=1&dateType=any&make=')
    assert.match(
      String(headers.link),
      /^<\/v1\/vehicles\?page=1>; rel="first", <\/v1\/vehicles\?page=1>; rel="last"/,
    )
  })

  await t.test('but a limit in a format that has every entry without it', async () => {
    const tag = async (url: string) => (await app.inject(url)).headers.etag
    assert.notEqual(await tag('/v1/vehicles.csv?limit=30'), await tag('/v1/vehicles.csv'))
    assert.notEqual(await tag('/v1/vehicles?limit=29'), await tag('/v1/vehicles'))
  })
})
