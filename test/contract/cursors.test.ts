import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ISLAND, RECALLS, VEHICLES } from '../support/island.ts'
import { build, publish, type Service } from '../support/service.ts'
import { DISTRIBUTED_TABLE_ENGINES } from '../support/store-engines.ts'
import { until } from '../support/until.ts'

const HEADER = VEHICLES.slice(0, VEHICLES.indexOf('\n') + 1)

interface Page {
  readonly results: readonly object[]
  readonly pagination: { readonly totalItems: number; readonly nextCursor: string | null }
}

const get = async ({ app }: Pick<Service, 'app'>, url: string) => {
  const { statusCode: status, headers, body } = await app.inject(url)
  return { status, headers, body: JSON.parse(body) }
}

async function pages(
  service: Pick<Service, 'app'>,
  url: string,
  cursor: string | null = '*',
): Promise<Page[]> {
  const read: Page[] = []
  for (let next = cursor; next !== null; next = (read.at(-1) as Page).pagination.nextCursor) {
    const { status, body } = await get(service, `${url}&cursor=${next}`)
    assert.equal(status, 200, JSON.stringify(body))
    read.push(body)
  }
  return read
}

for (const { name, emptyStore, tables } of DISTRIBUTED_TABLE_ENGINES)
  test(`a cursor reads one release to its end, whatever is published meanwhile: ${name}`, async t => {
    const databaseUrl = await emptyStore(t)
    const environment = { TABLE_ENGINE: tables?.engine ?? 'memory', VEHICLES_RATE_LIMIT: '0' }
    const service = await build(t, ISLAND, { databaseUrl, environment })
    const { store, snapshots } = service
    const url = '/v1/vehicles?limit=2'
    const whole = (await get(service, '/v1/vehicles')).body.results
    const recalls = (await get(service, '/v1/product-recalls')).body.results
    const [first] = await pages(service, url, '*')
    const [recall] = await pages(service, '/v1/product-recalls?limit=1')
    for (const [name, content] of [
      [
        'vehicles',
        `${HEADER}Newer,ONE,Blue,1000,,,Petrol,01/02/2025,05/06/2025\n${VEHICLES.slice(HEADER.length)}`,
      ],
      ['product-recalls', RECALLS.slice(1)],
    ] as const) {
      await publish(store, name, content)
      await until(() => snapshots.get(name)?.release.number === 2, 'the second release')
    }
    const rest = await pages(service, url, first?.pagination.nextCursor)
    assert.deepEqual(
      [first, ...rest].flatMap(page => page?.results),
      whole,
    )
    assert.ok(rest.every(({ pagination }) => pagination.totalItems === whole.length))
    const others = await pages(service, '/v1/product-recalls?limit=1', recall?.pagination.nextCursor)
    assert.deepEqual(
      [recall, ...others].flatMap(page => page?.results),
      recalls,
    )
    const restarted = await build(t, {}, { databaseUrl, environment })
    assert.deepEqual(await pages(restarted, url, first?.pagination.nextCursor), rest)
    const { results } = (await get(service, `${url}&cursor=*`)).body
    assert.equal(results[0].make, 'Newer')
  })

test('pages by cursor', async t => {
  const service = await build(t, ISLAND, { environment: { VEHICLES_RATE_LIMIT: '0' } })
  const { body, headers } = await get(service, '/v1/vehicles?color=blue&limit=2&cursor=*')
  const cursor = body.pagination.nextCursor

  await t.test('are linked, in other formats too', async () => {
    const address = (cursor: string) => `</v1/vehicles?cursor=${cursor}&limit=2&color=blue>`
    assert.ok(
      String(headers.link).startsWith(`${address('*')}; rel="first", ${address(cursor)}; rel="next", `),
      String(headers.link),
    )
    const last = await get(service, `/v1/vehicles?color=blue&limit=100&cursor=${cursor}`)
    assert.doesNotMatch(String(last.headers.link), /next/)
    assert.equal(last.body.pagination.nextCursor, null)
  })

  await t.test('may change in length and fields, and are found under the same query alone', async () => {
    const other = await get(service, `/v1/vehicles?color=blue&limit=1&fields=make&cursor=${cursor}`)
    assert.deepEqual(Object.keys(other.body.results[0]), ['make'])
    for (const [url, detail] of [
      [`/v1/vehicles?color=red&cursor=${cursor}`, /belongs to another query/],
      [`/v1/vehicles?color=blue&page=2&cursor=${cursor}`, /given with a cursor/],
      ['/v1/vehicles?cursor=nonsense', /not a cursor/],
      [
        `/v1/vehicles?color=blue&cursor=${Buffer.from('[1,"x",-1,"y"]').toString('base64url')}`,
        /not a cursor/,
      ],
      [`/v1/vehicles?color=blue&cursor=${Buffer.from('{"a":1}').toString('base64url')}`, /not a cursor/],
    ] as const) {
      const { status, body } = await get(service, url)
      assert.equal(status, 400, url)
      assert.match(body.detail, detail)
    }
  })

  await t.test('of a store that was made anew are expired', async () => {
    const other = await build(t, { vehicles: VEHICLES.replace('FIESTA', 'FIESTB') })
    const { status, body } = await get(other, `/v1/vehicles?color=blue&limit=2&cursor=${cursor}`)
    assert.equal(status, 410)
    assert.equal(body.code, 'CURSOR_EXPIRED')
  })
})
