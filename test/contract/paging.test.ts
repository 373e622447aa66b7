import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ISLAND } from '../support/island.ts'
import { build } from '../support/service.ts'

/** The addresses of pages in a Link header by their relation (RFC 8288). */
function linksOf(header: unknown): Record<string, string> {
  const links = String(header).matchAll(/<([^>]*)>; rel="(first|prev|next|last)"/g)
  return Object.fromEntries([...links].map(([, address, rel]) => [rel, address]))
}

test('paging links', async t => {
  const { app } = await build(t, ISLAND)
  const links = async (url: string) => linksOf((await app.inject(url)).headers.link)

  await t.test('lead from the first page to the last, and back, each vehicle once', async () => {
    const whole = (await app.inject('/v1/vehicles')).json().results
    const seen: unknown[] = []
    const addresses: string[] = []
    let next: string | undefined = '/v1/vehicles?limit=2&dateType=a%26b'
    while (next !== undefined) {
      addresses.push(next)
      const { headers, body }: { headers: Record<string, unknown>; body: string } = await app.inject(next)
      seen.push(...JSON.parse(body).results)
      next = linksOf(headers.link).next
    }
    assert.equal(addresses.length, 4)
    assert.deepEqual(seen, whole)
    const last = await links(addresses.at(-1) ?? '')
    assert.equal(last.last, addresses.at(-1))
    assert.equal(last.prev, addresses.at(-2))
    assert.equal((await links(last.first ?? '')).prev, undefined)
  })

  await t.test('keep the question and are relative to the host', async () => {
    const query = 'make=%C3%AB%26%25&color=a%20b&limit=1&page=2'
    const { first } = await links(`/v1/vehicles?unknown=1&${query}`)
    const url = new URL(String(first), 'http://data.example')
    assert.equal(url.pathname, '/v1/vehicles')
    assert.deepEqual(Object.fromEntries(url.searchParams), {
      make: 'ë&%',
      color: 'a b',
      limit: '1',
      page: '1',
    })
    assert.ok(String(first).startsWith('/'))
  })

  await t.test('give a page the same address wherever they lead from', async () => {
    const [first, second, third] = await Promise.all(
      [1, 2, 3].map(page => links(`/v1/vehicles?limit=2&page=${page}`)),
    )
    assert.equal(first?.next, third?.prev)
    assert.equal(first?.last, second?.last)
    assert.equal(first?.first, second?.prev)
  })

  await t.test('past the end lead back to the last page', async () => {
    assert.deepEqual(await links('/v1/product-recalls?limit=2&page=9'), {
      first: '/v1/product-recalls?page=1&limit=2',
      prev: '/v1/product-recalls?page=2&limit=2',
      last: '/v1/product-recalls?page=2&limit=2',
    })
    assert.deepEqual(await links('/v1/vehicles?make=nothing'), {
      first: '/v1/vehicles?page=1&make=nothing',
      last: '/v1/vehicles?page=1&make=nothing',
    })
  })
})
