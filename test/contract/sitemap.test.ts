import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBuild } from '../../src/interfaces/web/explorer-pages.ts'
import { kindOf } from '../../web/src/places/kinds.ts'
import { CARPARKS, DEFIBRILLATORS, ISLAND, KNOWN, PLACES, RECALLS, TOILETS } from '../support/island.ts'
import { openPage } from '../support/pages.ts'
import { build, type TestApp } from '../support/service.ts'

async function sitemap(app: TestApp): Promise<string[]> {
  const { statusCode, headers, body } = await app.inject('/sitemap.xml')
  assert.deepEqual([statusCode, headers['content-type']], [200, 'application/xml'])
  return [...body.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = '']) => url)
}

test('search engines find each page and each place', async t => {
  const { app } = await build(t, ISLAND)
  const urls = await sitemap(app)
  assert.equal(new Set(urls).size, urls.length)
  const paths = urls.map(url => url.replace('http://data.example', ''))
  const places = Object.entries(KNOWN).flatMap(([dataset, records]) =>
    PLACES.includes(dataset) && dataset !== 'carparks'
      ? (records as { id: string }[]).map(({ id }) => `/places/${dataset}/${id}`)
      : [],
  )
  places.push(...CARPARKS.map(({ id, liveTrackingCode }) => `/parking/${liveTrackingCode ?? id}`))
  for (const path of [...places, '/', '/map', '/problems/not-found']) assert.ok(paths.includes(path), path)
  assert.ok(!paths.includes('/offline'))
  // Places have pages when `additions.test.ts` finds what these need.
  const isToCome = (path: string) =>
    /^\/places\//.test(path) && kindOf(path.split('/')[2] ?? '') === undefined
  for (const path of paths.filter(path => !isToCome(path))) {
    const { statusCode, body } = await openPage(app, path)
    assert.equal(statusCode, 200, path)
    assert.ok(body.includes(`<link rel="canonical" href="http://data.example${path}"`), path)
  }
})

test('a page with variable parts lists the addresses of all its pages', async t => {
  const { app } = await build(t, ISLAND)
  const paths = (await sitemap(app)).map(url => new URL(url).pathname)
  const variable = readBuild().pages.filter(({ path }) => path.includes(':') && !path.startsWith('/embed/'))
  for (const { path } of variable) {
    const pattern = new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)
    assert.ok(
      paths.some(each => pattern.test(each)),
      `no address of ${path}: its page declares no addresses`,
    )
  }
})

test('every recall is listed, however many there are', async t => {
  const ids = Array.from({ length: 120 }, (_, index) => index + 1)
  const recalls = ids.map(id => ({ ...RECALLS[0], id }))
  const { app } = await build(t, { 'product-recalls': recalls }, { environment: { PAGE_LIMIT_MAX: '7' } })
  const listed = (await sitemap(app)).filter(url => url.includes('/recalls/'))
  assert.deepEqual(listed.sort(), ids.map(id => `http://data.example/recalls/${id}`).sort())
})

test('robots.txt leads to the sitemap; the synthetic island is for no search engine', async t => {
  const robots = async (synthetic: boolean) =>
    (await (await build(t, { toilets: TOILETS }, { synthetic })).app.inject('/robots.txt')).body
  assert.equal(await robots(false), 'User-agent: *\nDisallow:\nSitemap: http://data.example/sitemap.xml\n')
  assert.equal(await robots(true), 'User-agent: *\nDisallow: /\nSitemap: http://data.example/sitemap.xml\n')
})

test('datasets that are not published have no addresses', async t => {
  const { app } = await build(t, { defibrillators: DEFIBRILLATORS.slice(0, 1) })
  const places = (await sitemap(app)).filter(url => url.includes('/places/'))
  assert.deepEqual(places, [`http://data.example/places/defibrillators/${DEFIBRILLATORS[0]?.id}`])
})
