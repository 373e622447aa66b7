import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { PROBLEMS } from '../../src/errors.ts'
import { problemPath } from '../../src/http/problems.ts'
import { readEvents } from '../support/event-streams.ts'
import { ISLAND } from '../support/island.ts'
import { answers, entry, payload, startUpstream } from '../support/misbehaving-upstream.ts'
import { NO_NGINX, startNginx } from '../support/nginx.ts'
import { exchange } from '../support/raw-http.ts'
import { kill, makeSite } from '../support/site.ts'
import { until } from '../support/until.ts'
import { cacheStatus, clientOf, type Got, type Headers } from '../support/whole-responses.ts'

/*
 * deploy/nginx in front of two instances: what it keeps, what it must not, and what it does when an instance dies.
 */

const PATHS = [
  ...['/v1/vehicles', '/v1/vehicles?make=ford&limit=1', '/v1/vehicles/makes', '/v1/toilets', '/v1/carparks'],
  ...['/v1/carparks/harbst', '/v1/product-recalls', '/v1/datasets', '/openapi.json', '/docs', '/'],
]

/** Made by the process, so that each instance has a date of its own; their tags are the same. */
const OWN = ['/v1/datasets', '/openapi.json', '/docs', '/']

/** The body of a problem without the id of the request. */
const withoutTrace = ({ body }: Got) => String(body).replace(/,"traceId":"[0-9a-f]{32}"/, '')

/** What is the same whoever sends it: all but what belongs to a connection, to one client or to nginx itself. */
function lasting({ headers }: Got, path: string): Headers {
  const others = [
    'connection',
    'keep-alive',
    'date',
    'server',
    'x-cache-status',
    'ratelimit',
    'ratelimit-policy',
    'server-timing',
  ]
  if (OWN.includes(path.replace(/\?.*/, ''))) others.push('last-modified')
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !others.includes(name)))
}

/** A good answer of the feed: one counted car park. */
const told = (spaces: number) => answers(payload([entry('HARBST', spaces)], new Date().toISOString()))

/** Two instances on one store, a feed, and nginx in front. */
async function begin(t: TestContext) {
  const feed = await startUpstream(told(100))
  t.after(() => feed.close())
  const site = await makeSite(t)
  for (const [dataset, content] of Object.entries(ISLAND)) await site.publish(dataset, content)
  const environment = {
    ...{ TRUST_PROXY: '127.0.0.1', BASE_URL: 'https://data.example.org', VEHICLES_RATE_LIMIT: '1000' },
    ...{ LIVE_FEED_URL: feed.url, LIVE_FEED_INTERVAL_S: '1', LOG_LEVEL: 'info' },
  }
  const instances = await Promise.all([site.serve(environment), site.serve(environment)])
  const origin = await startNginx(
    t,
    instances.map(({ url }) => new URL(url).host),
  )
  const [first, second] = instances
  return { feed, origin, first, second, get: clientOf(t, origin), direct: clientOf(t, first.url) }
}

test('the committed nginx.conf in front of two instances', { skip: NO_NGINX }, async t => {
  const { feed, origin, first, second, get, direct } = await begin(t)

  await t.test(
    'answers are those of an instance, to the byte, asked for the first time and again',
    async () => {
      for (const path of PATHS) {
        for (const coding of ['', 'gzip', 'gzip, deflate, br', 'br;q=0, gzip;q=0.5']) {
          const expected = await direct(path, { 'accept-encoding': coding })
          assert.equal(expected.status, 200, path)
          // nginx.conf has the coding in its key, and neither keeps nor takes from its cache what has Prefer.
          assert.match(String(expected.headers.vary), /^((Accept, )?Accept-Encoding, Prefer|undefined)$/)
          for (let times = 0; times < 2; times++) {
            const answer = await get(path, { 'accept-encoding': coding })
            assert.deepEqual([answer.status, lasting(answer, path)], [200, lasting(expected, path)], path)
            assert.ok(answer.body.equals(expected.body), path)
          }
        }
      }
    },
  )

  await t.test('a format that Accept selects is given to nobody else', async () => {
    for (const accept of ['text/csv', 'text/csv, */*;q=0.1', 'application/vnd.apache.parquet,*/*;q=0.5']) {
      const chosen = await get('/v1/recycling', { accept })
      assert.doesNotMatch(String(chosen.headers['content-type']), /json/, accept)
      assert.match(String((await get('/v1/recycling')).headers['content-type']), /json/, accept)
    }
  })

  await t.test('what is kept is not asked again, and a good copy is not sent again', async () => {
    const kept = await get('/v1/vehicles')
    assert.equal(cacheStatus(kept), 'HIT')
    const etag = String(kept.headers.etag)
    const again = await get('/v1/vehicles', { 'if-none-match': `"other", ${etag}` })
    assert.deepEqual([again.status, again.body.length, again.headers.etag], [304, 0, etag])
    assert.equal((await get('/v1/vehicles', { 'if-none-match': '"other"' })).status, 200)
    const head = await get('/v1/vehicles', {}, 'HEAD')
    assert.deepEqual([cacheStatus(head), lasting(head, '')], ['HIT', lasting(kept, '')])
    // Each instance logs in order, so after its answer to another question all that it was asked before is in its log.
    const asked = async (mark: string) => {
      const paths = () => [first, second].map(({ log }) => log.map(({ path }) => String(path)))
      for (const { url } of [first, second]) assert.equal((await fetch(url + mark)).status, 404)
      await until(() => paths().every(logged => logged.includes(mark)), 'the logs')
      return paths()
        .flat()
        .filter(path => path === '/v1/toilets').length
    }
    const before = await asked('/v1/before')
    for (const coding of ['', 'gzip', 'gzip, deflate, br', 'br;q=0, gzip;q=0.5'])
      assert.equal(cacheStatus(await get('/v1/toilets', { 'accept-encoding': coding })), 'HIT', coding)
    assert.equal(await asked('/v1/after'), before)
  })

  await t.test('a kept answer has the date at which it was made, and nobody else’s quota', async () => {
    let made = await get('/v1/vehicles?limit=7')
    assert.match(String(made.headers.ratelimit), /^"hourly";r=\d+;t=\d+$/)
    const kept = await until(async () => {
      const answer = await get('/v1/vehicles?limit=7')
      if (cacheStatus(answer) === 'HIT') return answer
      made = answer
      return undefined
    }, 'it being kept')
    assert.deepEqual(
      [
        kept.headers.date,
        kept.headers.ratelimit,
        kept.headers['ratelimit-policy'],
        kept.headers['server-timing'],
      ],
      [made.headers.date, undefined, undefined, undefined],
    )
  })

  await t.test(
    'an answer that is too old is asked for by its tag, and kept on if it is still good',
    async () => {
      const statuses = new Set<string | undefined>()
      await until(async () => {
        const answer = await get('/v1/carparks/live-spaces')
        assert.equal(answer.status, 200)
        statuses.add(cacheStatus(answer))
        return statuses.has('REVALIDATED')
      }, 'an answer whose reading has not changed')
    },
  )

  await t.test('errors are not kept, and come as the service words them', async () => {
    for (const path of ['/v1/nothing', '/v1/vehicles?page=0', '/v1/carparks/nothing']) {
      const [one, two] = [await get(path), await get(path)]
      assert.deepEqual(
        [cacheStatus(one), cacheStatus(two), two.headers['cache-control']],
        ['MISS', 'MISS', 'no-store'],
      )
      assert.equal(withoutTrace(two), withoutTrace(await direct(path)))
    }
    const unacceptable = await get('/v1/toilets', { accept: 'image/png' })
    assert.deepEqual([unacceptable.status, cacheStatus(unacceptable)], [406, 'BYPASS'])
    const strict = await get('/v1/toilets?x=1', { prefer: 'handling=strict' })
    assert.deepEqual([strict.status, cacheStatus(strict)], [400, 'BYPASS'])
    assert.equal((await get('/v1/toilets?x=1')).status, 200)
  })

  await t.test('nothing that a client writes into its headers is in what others get', async () => {
    const poison: Headers[] = [
      { host: 'evil.example' },
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher', 'x-forwarded-port': '1' },
      { 'x-forwarded-prefix': '/evil', forwarded: 'host=evil.example', 'x-host': 'evil.example' },
      { 'x-original-url': '/v1/nothing', 'x-rewrite-url': '/v1/nothing' },
      { range: 'bytes=0-3', 'if-range': '"x"' },
      { 'x-http-method-override': 'DELETE', 'x-forwarded-for': 'evil', cookie: 'a=b', authorization: 'x' },
      { 'accept-encoding': 'zstd, br;q=0', 'accept-language': 'fr', origin: 'https://evil.example' },
    ]
    for (const [index, headers] of poison.entries()) {
      for (const path of ['/v1/vehicles', '/v1/product-recalls', '/openapi.json']) {
        const fresh = `${path}?limit=${index + 11}`
        const expected = await direct(fresh)
        const poisoned = await get(fresh, headers)
        // What a client has got whole may be kept a moment later.
        await until(async () => cacheStatus(await get(fresh, headers)) === 'HIT', `${fresh} being kept`)
        const clean = await get(fresh)
        assert.deepEqual([clean.status, cacheStatus(clean)], [200, 'HIT'], fresh)
        for (const answer of [poisoned, clean]) {
          assert.deepEqual(lasting(answer, path), lasting(expected, path))
          assert.ok(answer.body.equals(expected.body))
        }
      }
    }
    for (const accept of ['application/json;q=0.1', '*/*;q=0.1, text/html']) {
      const fresh = `/v1/vehicles?limit=${accept.length}`
      const expected = await direct(fresh)
      await get(fresh, { accept, host: 'evil.example' }, 'HEAD')
      const clean = await get(fresh)
      assert.deepEqual(lasting(clean, fresh), lasting(expected, fresh))
      assert.ok(clean.body.equals(expected.body))
    }
    const absolute = `GET http://evil.example/v1/recycling?a=1 HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`
    const raw = await exchange(Number(new URL(origin).port), absolute)
    assert.equal(raw.status, 200)
    const { status, body } = await get('/v1/recycling?a=1')
    assert.deepEqual([status, body.toString()], [200, raw.body])
  })

  await t.test('a client is counted by its address, whatever it says of it', async () => {
    const left = async (index: number) => {
      const path = `/v1/vehicles?limit=${index + 50}`
      const { headers } = await get(path, { 'x-forwarded-for': `192.0.2.${index}`, 'x-real-ip': '192.0.2.1' })
      return Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1])
    }
    const counts = [await left(1), await left(2), await left(3), await left(4), await left(5), await left(6)]
    // Each of the two instances counts on its own here; between them six requests are six.
    const lowest = Math.min(...counts)
    assert.ok(lowest < 1000 - 3 && new Set(counts).size >= 3, String(counts))
  })

  await t.test('events pass as they come', async () => {
    const leaving = new AbortController()
    const answer = await fetch(`${origin}/v1/carparks/live-spaces/stream`, { signal: leaving.signal })
    const { events, take } = readEvents()
    const reading = (async () => {
      const decoder = new TextDecoder()
      for await (const bytes of answer.body ?? []) take(decoder.decode(bytes, { stream: true }))
    })()
    await until(() => events[0]?.event === 'snapshot', 'the snapshot, while the stream is open')
    for (const spaces of [99, 98]) {
      feed.behaviour = told(spaces)
      await until(
        () => events.some(({ event, data }) => event === 'change' && data.includes(`"spaces":${spaces}`)),
        'the change, while the stream is open',
      )
    }
    leaving.abort()
    await assert.rejects(reading, { name: 'AbortError' })
  })

  await t.test('an instance is killed while clients ask: nobody notices', async () => {
    let asked = 0
    let isKilled = false
    const ask = async (client: number) => {
      for (let after = 0; after < 50; after += Number(isKilled)) {
        const { status, body } = await get(`/v1/vehicles/colors?x=${client}-${++asked}`)
        assert.equal(status, 200, body.toString())
      }
    }
    const clients = Promise.all([1, 2, 3, 4].map(ask))
    await until(() => asked > 40, 'the load')
    await kill(first.child)
    isKilled = true
    await clients
    t.diagnostic(`${asked} answers`)
  })

  await t.test('without any instance what is kept is given out, the rest is a problem', async () => {
    // Asked for just now, so that its age is below stale-if-error.
    assert.equal((await get('/v1/carparks/live-spaces')).status, 200)
    await kill(second.child)
    assert.equal((await get('/v1/vehicles')).status, 200)
    await until(async () => {
      const stale = await get('/v1/carparks/live-spaces')
      assert.equal(stale.status, 200)
      return cacheStatus(stale) === 'STALE'
    }, 'an answer that is too old')
    const away = await get('/v1/toilets?never=asked')
    const { title, status, hint } = PROBLEMS.DATASET_UNAVAILABLE
    const problem = JSON.parse(away.body.toString())
    assert.deepEqual(problem, {
      ...{ type: problemPath('DATASET_UNAVAILABLE'), title, status, hint, code: 'DATASET_UNAVAILABLE' },
      ...{ detail: 'No instance of the service can be reached.', instance: '/' },
    })
    assert.deepEqual(
      [away.status, away.headers['cache-control'], away.headers['retry-after'], away.headers['content-type']],
      [503, 'no-store', '5', 'application/problem+json'],
    )
  })
})
