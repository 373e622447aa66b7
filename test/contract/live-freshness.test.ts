import assert from 'node:assert/strict'
import { test } from 'node:test'
import { told } from '../support/counted-past.ts'
import { judgedHarbour, LAST, MONDAY_10H } from '../support/judged-harbour.ts'
import { listen } from '../support/raw-http.ts'

const LIST = '/v1/carparks/live-spaces?include=quality'
const ALONE = '/v1/carparks/HARBST/live'
const HISTORY = '/v1/carparks/HARBST/history?from=2025-03-31'
const LATER = [HISTORY, '/v1/carparks/live-spaces/history', '/v1/carparks/HARBST/forecast']

test('responses with counts may be cached until the next reading is due', async t => {
  const { app } = await judgedHarbour(t)
  for (const url of [LIST, ALONE, ...LATER, '/v1/carparks/HARBST/typical']) {
    const { headers } = await app.inject(url)
    assert.equal(headers['cache-control'], 'public, max-age=42, s-maxage=42, stale-if-error=600', url)
    assert.match(String(headers.etag), /^"[\x21\x23-\x7e]+"$/)
    assert.equal(headers['last-modified'], new Date(MONDAY_10H).toUTCString())
    const head = await app.inject({ url, method: 'HEAD' })
    assert.equal(head.body, '')
    for (const name of ['etag', 'content-length', 'content-type', 'cache-control'])
      assert.equal(head.headers[name], headers[name], `${url} ${name}`)
  }
})

test('a response is the same within a second, and changes in the next', async t => {
  const { app, be } = await judgedHarbour(t)
  for (const url of [LIST, ALONE]) {
    be(MONDAY_10H)
    const { headers } = await app.inject(url)
    const conditions = [
      { 'if-none-match': String(headers.etag) },
      { 'if-modified-since': String(headers['last-modified']) },
    ]
    const statuses = async () =>
      Promise.all(conditions.map(async headers => (await app.inject({ url, headers })).statusCode))
    be(MONDAY_10H + 999)
    assert.deepEqual(await statuses(), [304, 304], url)
    be(MONDAY_10H + 1000)
    assert.deepEqual(await statuses(), [200, 200], url)
  }
})

test('over a socket too, a response ages by the second and has the newest reading', async t => {
  const { app, be, tell } = await judgedHarbour(t)
  const origin = `http://127.0.0.1:${await listen(app)}`
  const live = async () =>
    (await (await fetch(origin + ALONE)).json()) as { ageSeconds: number; spaces: number }
  for (const seconds of [0, 7, 8, 600]) {
    be(MONDAY_10H + seconds * 1000)
    assert.equal((await live()).ageSeconds, seconds)
  }
  await tell(told(MONDAY_10H + 600_000, { spaces: LAST - 9 }))
  assert.deepEqual([(await live()).spaces, (await live()).ageSeconds], [LAST - 9, 0])
})

test('a new observation changes every response at once', async t => {
  const { app, tell, be } = await judgedHarbour(t)
  const moment = MONDAY_10H + 300_000
  be(moment + 1)
  const urls = [LIST, ALONE, '/v1/carparks/live-spaces', HISTORY]
  const before = await Promise.all(urls.map(url => app.inject(url)))
  await tell(told(moment, { spaces: LAST - 11 }))
  be(moment + 1)
  for (const [place, url] of urls.entries()) {
    const after = await app.inject({ url, headers: { 'if-none-match': String(before[place]?.headers.etag) } })
    assert.equal(after.statusCode, 200, url)
    assert.notEqual(after.body, before[place]?.body)
  }
})

test('unknown parameters are ignored and named', async t => {
  const { app } = await judgedHarbour(t)
  const ignored = async (url: string) => (await app.inject(url)).headers['ignored-parameters']
  assert.equal(await ignored(`${ALONE}?include=quality`), 'include')
  assert.equal(await ignored('/v1/carparks/live-spaces?includes=quality'), 'includes;nearest=include')
  assert.equal(await ignored('/v1/carparks/HARBST/history?intervall=1h'), 'intervall;nearest=interval')
  assert.equal(await ignored('/v1/carparks/HARBST/forecast?minutes=15'), 'minutes')
  assert.equal(await ignored(LIST), undefined)
})
