import assert from 'node:assert/strict'
import { test } from 'node:test'
import { request } from 'undici'
import { PROBLEMS } from '../../src/errors.ts'
import { problemPath } from '../../src/http/problems.ts'
import { NO_CADDY, startCaddy } from '../support/caddy.ts'
import { readEvents } from '../support/event-streams.ts'
import { ISLAND } from '../support/island.ts'
import { answers, entry, payload, startUpstream } from '../support/misbehaving-upstream.ts'
import { NO_NGINX, startNginxWithTls } from '../support/nginx.ts'
import { kill, makeSite } from '../support/site.ts'
import { makeCertificate, SITE, tlsClient } from '../support/tls-edge.ts'
import { until } from '../support/until.ts'

/*
 * The committed files of nginx and Caddy with TLS, each in front of one instance.
 */

const EDGES = [
  {
    name: 'nginx',
    skip: NO_NGINX,
    start: startNginxWithTls,
    clients: ['127.0.0.2', '127.0.0.3'],
    cache: 'HIT',
  },
  { name: 'Caddy', skip: NO_CADDY, start: startCaddy, clients: ['127.0.0.4', '127.0.0.5'], cache: undefined },
] as const

/** A good answer of the feed: one counted car park. */
const told = (spaces: number) => answers(payload([entry('HARBST', spaces)], new Date().toISOString()))

test('a proxy with TLS: HTTP/2, the redirect, copies, events as they come, addresses of clients, and no instance', async t => {
  const feed = await startUpstream(told(100))
  t.after(() => feed.close())
  const site = await makeSite(t)
  for (const dataset of ['toilets', 'carparks', 'vehicles'] as const)
    await site.publish(dataset, ISLAND[dataset])
  const service = await site.serve({
    TRUST_PROXY: '127.0.0.1',
    VEHICLES_RATE_LIMIT: '2',
    LIVE_FEED_URL: feed.url,
    LIVE_FEED_INTERVAL_S: '1',
  })
  const certificate = await makeCertificate(t)
  const { host } = new URL(service.url)
  const gets = new Map<string, Awaited<ReturnType<typeof tlsClient>>['get']>()

  for (const { name, skip, start, clients, cache } of EDGES)
    await t.test(name, { skip }, async () => {
      // Ends with the whole test: below, the instance ends.
      const edge = await start(t, host, certificate)
      const { plain } = edge
      const { protocol, open, get } = await tlsClient(t, edge, certificate)
      gets.set(name, get)

      const path = '/v1/toilets?x=1'
      const led = await request(plain + path, { headers: { host: SITE } })
      await led.body.dump()
      assert.deepEqual([led.statusCode, led.headers.location], [308, `https://${SITE}${path}`])

      const first = await get(path)
      assert.deepEqual([protocol(), first.status], ['h2', 200])
      assert.equal(first.headers['strict-transport-security'], 'max-age=31536000')
      assert.equal(first.body, (await service.get(path)).text)
      const tag = String(first.headers.etag)
      const again = await get(path, { 'if-none-match': tag })
      assert.deepEqual([again.status, again.headers.etag, again.body], [304, tag, ''])
      assert.equal(again.headers['x-cache-status'], cache)
      const described = await Promise.all(
        ['br', ''].map(coding => get('/openapi.json', { 'accept-encoding': coding })),
      )
      assert.deepEqual(
        described.map(({ headers }) => headers['content-encoding']),
        ['br', undefined],
      )
      assert.equal(new Set(described.map(({ headers }) => headers.etag)).size, 2)

      const { stream, headers } = await open('/v1/carparks/live-spaces/stream')
      assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8')
      const { events, take } = readEvents()
      stream.on('data', (bytes: Buffer) => take(bytes.toString()))
      await until(() => events[0]?.event === 'snapshot', 'the snapshot, while the stream is open')
      const spaces = 90 + gets.size
      feed.behaviour = told(spaces)
      const isTold = () => events.some(({ data }) => data.includes(`"spaces":${spaces}`))
      await until(isTold, 'the change, while the stream is open')
      stream.close()

      const asked = async (client: string) => {
        const { get } = await tlsClient(t, edge, certificate, client)
        const statuses: number[] = []
        for (const limit of [1, 2, 3]) {
          const forged = { 'x-forwarded-for': `192.0.2.${limit}`, forwarded: `for=192.0.2.${limit}` }
          // No copy of a response answers it.
          const { status } = await get(`/v1/vehicles?limit=${limit}&client=${client}`, forged)
          statuses.push(status)
        }
        return statuses
      }
      for (const client of clients) assert.deepEqual(await asked(client), [200, 200, 429], client)
    })

  await kill(service.child)
  const { title, status, hint } = PROBLEMS.DATASET_UNAVAILABLE
  const problem = {
    type: problemPath('DATASET_UNAVAILABLE'),
    title,
    status,
    hint,
    code: 'DATASET_UNAVAILABLE',
  }
  for (const [name, get] of gets) {
    const away = await get('/v1/recycling')
    const { 'content-type': type, 'cache-control': caching, 'retry-after': after } = away.headers
    assert.deepEqual(
      [away.status, type, caching, after],
      [503, 'application/problem+json', 'no-store', '5'],
      name,
    )
    const detail = 'No instance of the service can be reached.'
    const body: object = JSON.parse(away.body)
    assert.deepEqual(body, Object.assign({ detail, instance: '/' }, problem), name)
  }
})
