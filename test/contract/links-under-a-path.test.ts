import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBuild } from '../../src/interfaces/web/explorer-pages.ts'
import { ISLAND, OBSERVATION, TOILETS } from '../support/island.ts'
import { hrefOf, openPage } from '../support/pages.ts'
import { buildBehindPrefix, PREFIX } from '../support/prefix-proxy.ts'
import { build, publish } from '../support/service.ts'
import { until } from '../support/until.ts'

/* Walks a service whose public address has a path, behind a proxy that strips it. */

const now = () => Date.parse(OBSERVATION.timestamp) + 60_000

/** Documents that no page links to. */
const DOCUMENTS = [
  ...[
    '/',
    '/sitemap.xml',
    '/robots.txt',
    '/llms.txt',
    '/manifest.webmanifest',
    '/service-worker.js',
    '/offline',
  ],
  ...[
    '/openapi.json',
    '/docs/json',
    '/docs/static/index.html',
    '/ogc',
    '/ogc/api',
    '/v1/places',
    '/v1/enumerations',
  ],
  ...['/v1/datasets?format=jsonld', '/v1/datasets?format=jsonld&profile=schema.org'],
  ...['/v1/datasets/toilets?format=jsonld', '/v1/datasets/toilets?format=jsonld&profile=schema.org'],
  ...['/v1/vehicles?limit=2&page=2', '/v1/vehicles?limit=2&cursor=*', '/v1/vehicles.csv?limit=2&page=2'],
  ...[
    '/v1/carparks/live-spaces/stream',
    '/ogc/collections/toilets/items?limit=1&offset=1',
    '/ogc/collections/toilets/items?f=html',
    `/ogc/collections/toilets/items/${TOILETS[1]?.id}`,
  ],
  ...['/v1/product-recalls/feed.atom', '/v1/product-recalls/feed.json', '/docs?q=parking', '/recalls?page=7'],
  ...['/embed.js', '/embed/parking', '/embed/parking/HARBST', '/embed/recalls', '/embed/vehicles'],
]

const walked = {
  environment: { VEHICLES_RATE_LIMIT: '0' },
  observation: OBSERVATION,
  now,
}

/** What an answer links to, as it is written there. */
function linksOf(type: string, headers: Headers, body: string): string[] {
  const all = (pattern: RegExp) => [...body.matchAll(pattern)].map(([, link = '']) => link)
  const inHeaders = [...(headers.get('link') ?? '').matchAll(/<([^>]*)>/g)].map(([, link = '']) => link)
  return [...inHeaders, headers.get('location') ?? [], inBody()].flat()

  function inBody(): string[] {
    if (type === 'text/html')
      return [
        ...all(/\s(?:href|src|action)="([^"]*)"/g).map(hrefOf),
        ...all(/<script type="application\/ld\+json">(.*?)<\/script>/gs).flatMap(text =>
          inJson(JSON.parse(text)),
        ),
      ]
    if (/json$/.test(type))
      return (/ndjson/.test(type) ? body.split('\n') : [body])
        .filter(Boolean)
        .flatMap(line => inJson(linkedIn(JSON.parse(line))))
    if (/xml$/.test(type)) return [...all(/<loc>([^<]*)/g), ...all(/\shref="([^"]*)"/g)].map(hrefOf)
    if (type === 'text/css') return all(/url\(["']?([^"')]+)/g)
    if (type === 'text/javascript') return all(/(?:\bfrom|\bimport\(?)\s*["'`](\.[^"'`]+)/g)
    return /^text\/(plain|markdown)$/.test(type) ? all(/(https?:\/\/[^\s)>]+)/g) : []
  }
}

/** The paths of OpenAPI are relative to its servers. */
const linkedIn = (value: { openapi?: string; servers?: unknown }) => (value.openapi ? value.servers : value)

/** The texts of JSON that are addresses: those that begin with a slash or a scheme. */
function inJson(value: unknown): string[] {
  if (typeof value === 'string') return /^(\/|https?:)/.test(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(inJson) : []
}

/** Asks for an address as a browser does, and gives what it links to; a stream has only its head. */
async function ask(url: string): Promise<{ status: number; links: string[] }> {
  const stop = new AbortController()
  const response = await fetch(url, {
    headers: { accept: 'text/html, */*;q=0.8' },
    ...{ redirect: 'manual', signal: stop.signal },
  })
  const { status, headers } = response
  const type = headers.get('content-type')?.split(';')[0] ?? ''
  const isStream = type === 'text/event-stream'
  const body = isStream ? '' : await response.text()
  if (isStream) stop.abort()
  return { status, links: linksOf(type, headers, body) }
}

/** Asks for all that is linked; an address whose path was seen with another query is asked for, and its links are not. */
async function walk(base: string, paths: readonly string[]) {
  const { origin } = new URL(base)
  const seen = new Set<string>()
  const followed = new Set<string>()
  const faults: string[] = []
  const waiting = paths.map(path => ({ url: base + path, from: 'the list' }))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { url, from } = next
    const { pathname, origin: host } = new URL(url)
    if (host !== origin || seen.has(url)) continue
    seen.add(url)
    if (pathname !== PREFIX && !pathname.startsWith(`${PREFIX}/`)) faults.push(`${from}: ${url} is outside`)
    // The variable part of a path.
    if (/%7B|\{/.test(url)) continue
    const { status, links } = await ask(url)
    // Agents send POST there, which a walk does not.
    const isFine = status < 400 || (status === 405 && pathname === `${PREFIX}/mcp`)
    if (!isFine) faults.push(`${from}: ${url} answers ${status}`)
    if (followed.has(pathname)) continue
    followed.add(pathname)
    waiting.push(...links.map(link => ({ url: new URL(link, url).href.split('#', 1)[0] ?? '', from: url })))
  }
  return { seen: [...seen], faults }
}

test('every link of every page and document leads to the service', async t => {
  const { base, app, store } = await buildBehindPrefix(t, ISLAND, walked)
  // The release before the current one is linked too.
  await publish(store, 'toilets', TOILETS.slice(1))
  const get = async (path: string) => (await app.inject(path)).body
  await until(
    async () => (await get('/v1/datasets/toilets/files')).includes('"release":2'),
    'the second release',
  )
  const { paths } = JSON.parse(await get('/openapi.json'))
  const endpoints = Object.keys(paths).filter(path => !path.includes('{'))
  const { seen, faults } = await walk(base, [...DOCUMENTS, ...endpoints])
  assert.deepEqual(faults, [])
  const visited = seen.map(url => new URL(url).pathname.slice(PREFIX.length))
  for (const { path } of readBuild().pages) {
    const pattern = new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)
    assert.ok(
      visited.some(each => pattern.test(each)),
      `no page of ${path} was visited`,
    )
  }
  for (const kind of [
    /^\/assets\/.*\.css$/,
    /^\/v1\/datasets\/\w+\/files\/\d+\.csv$/,
    /\/changes$/,
    /\/items\//,
  ])
    assert.ok(
      visited.some(each => kind.test(each)),
      `nothing like ${kind} was visited`,
    )
})

test('what stands in texts for clients has the path too', async t => {
  const { base, app } = await buildBehindPrefix(t, ISLAND, { observation: OBSERVATION, now, synthetic: true })
  const json = async (url: string) =>
    (await app.inject({ url, headers: { accept: 'application/json' } })).json()
  const { type, instance, detail } = await json('/v1/toilet?x=1')
  assert.deepEqual([type, instance], [`${base}/problems/not-found`, '/open-data/v1/toilet?x=1'])
  assert.equal(detail, 'No such path. Did you mean /open-data/v1/toilets?')
  assert.deepEqual((await json('/openapi.json')).servers, [{ url: base }])
  assert.match((await app.inject('/robots.txt')).body, /^User-agent: \*\nDisallow: \/open-data\/\n/)
  const { id, scope } = await json('/manifest.webmanifest')
  assert.deepEqual([id, scope], ['/open-data/', '/open-data/'])
  const docs = (await openPage(app, '/docs/tutorial/first-answers')).body
  assert.ok(docs.includes(`curl ${base}/v1/`) || docs.includes(`${base}/v1/`), 'examples to copy')
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'list_datasets', arguments: {} },
  }
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const { result } = (
    await app.inject({ method: 'POST', url: '/mcp', headers, payload: JSON.stringify(call) })
  ).json()
  assert.deepEqual(result.structuredContent.about.urls, [`${base}/v1/datasets`])
  assert.equal(result.structuredContent.results[0].path, '/open-data/v1/vehicles')
})

test('a slash at the end of BASE_URL changes nothing', async t => {
  const { app } = await build(t, ISLAND, { environment: { BASE_URL: 'https://data.example/' } })
  const { type, instance } = (await app.inject('/v1/toilet')).json()
  assert.deepEqual([type, instance], ['https://data.example/problems/not-found', '/v1/toilet'])
  assert.match(
    String((await app.inject('/v1/vehicles?limit=1')).headers.link),
    /^<\/v1\/vehicles\?page=1&limit=1>/,
  )
  assert.ok(!(await openPage(app, '/')).body.includes('data-base-path'))
})
