import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ISLAND } from '../support/island.ts'
import { closedPort } from '../support/misbehaving-upstream.ts'
import { exchange } from '../support/raw-http.ts'
import { seriesOf } from '../support/series.ts'
import { makeSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const NAMES = Object.keys(ISLAND)

test('the admin listener reports a working service while its feed fails', async t => {
  const site = await makeSite(t)
  const before = Date.now()
  for (const [name, content] of Object.entries(ISLAND)) await site.publish(name, content)
  const serving = await site.serve({ LIVE_FEED_URL: await closedPort(), LIVE_FEED_INTERVAL_S: '1' })

  const live = await serving.admin('/livez')
  assert.deepEqual([live.status, live.headers['cache-control']], [200, 'no-store'])

  const ready = await until(async () => {
    const answer = await serving.admin('/readyz')
    return JSON.parse(answer.text).missing.length > 0 && answer
  }, 'the failing feed in /readyz')
  assert.equal(ready.status, 200)
  const { missing } = JSON.parse(ready.text)
  assert.deepEqual(
    missing.map(({ what }: { what: string }) => what),
    ['live feed'],
  )
  assert.ok(Date.parse(missing[0].since) >= before && Date.parse(missing[0].since) <= Date.now())
  assert.match(missing[0].detail, /\S/)

  for (const path of ['/v1/toilets', '/v1/toilets', '/v1/vehicles?page=0', '/v1/carparks/HARBST', '/no-such'])
    await serving.get(path)
  const port = Number(new URL(serving.url).port)
  await exchange(port, 'nonsense\r\n\r\n')
  await exchange(port, `GET /v1/carparks/${'x'.repeat(101)} HTTP/1.1\r\nHost: a\r\n\r\n`)
  const { text, headers } = await serving.admin('/metrics')
  const series = seriesOf(text)
  assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/)
  const counted = (route: string, status: number) =>
    series.get(`pds_http_requests_total{route="${route}",method="GET",status="${status}"}`)
  assert.equal(counted('/v1/toilets', 200), 2)
  assert.equal(counted('/v1/vehicles', 400), 1)
  assert.equal(counted('/v1/carparks/:idOrCode', 200), 1)
  assert.equal(counted('unknown', 404), 1)
  for (const status of [400, 414])
    assert.equal(
      series.get(`pds_http_requests_total{route="unreadable",method="unknown",status="${status}"}`),
      1,
    )
  assert.equal(series.get('pds_http_request_duration_seconds_count{route="/v1/toilets"}'), 2)
  const expected = {
    carparks: 2,
    defibrillators: 2,
    'product-recalls': 3,
    recycling: 1,
    toilets: 2,
    vehicles: 7,
  }
  for (const [name, rows] of Object.entries(expected))
    assert.equal(series.get(`pds_release_rows{dataset="${name}"}`), rows, name)
  for (const name of NAMES) {
    const age = series.get(`pds_release_age_seconds{dataset="${name}"}`) ?? Number.NaN
    assert.ok(age >= 0 && age <= (Date.now() - before) / 1000, `age of ${name}: ${age}`)
  }
  assert.ok(Number(series.get('pds_feed_polls_total{outcome="refused"}')) >= 1, 'polls by kind of failure')
  assert.equal(series.get('pds_live_reading_age_seconds'), undefined)
  assert.deepEqual(
    ['INVALID_PARAMETER', 'NOT_FOUND', 'INTERNAL_ERROR'].map(code =>
      series.get(`pds_http_problems_total{code="${code}"}`),
    ),
    [1, 1, 0],
  )
  assert.equal(series.get('pds_ready'), 1)
  assert.ok(Number(series.get('process_resident_memory_bytes')) > 0)

  for (const path of ['/livez', '/readyz', '/metrics'])
    assert.equal((await serving.get(path)).status, 404, path)
  const unknown = await serving.admin('/secrets')
  assert.deepEqual([unknown.status, JSON.parse(unknown.text).code], [404, 'NOT_FOUND'])
})

test('/readyz is 503 while nothing is published, names what is missing, and 200 with the first dataset', async t => {
  const site = await makeSite(t)
  const serving = await site.serve()
  assert.equal((await serving.admin('/livez')).status, 200)
  const empty = await serving.admin('/readyz')
  assert.equal(empty.status, 503)
  const { ready, missing } = JSON.parse(empty.text)
  assert.equal(ready, false)
  const what = missing.map((entry: { what: string }) => entry.what)
  assert.deepEqual(what.toSorted(), NAMES.toSorted())
  for (const { since, detail } of missing) {
    assert.ok(Date.parse(since) <= Date.now())
    assert.match(detail, /pds import/)
  }

  await site.publish('toilets', ISLAND.toilets)
  const first = await until(async () => {
    const answer = await serving.admin('/readyz')
    return answer.status === 200 && JSON.parse(answer.text)
  }, 'readiness')
  assert.equal(first.missing.length, NAMES.length - 1)
  assert.ok(!first.missing.some((entry: { what: string }) => entry.what === 'toilets'))
})

test('the log has a line for each request, with the problem code and without the client address', async t => {
  const site = await makeSite(t)
  const serving = await site.serve({ LOG_LEVEL: 'info', LOG_FORMAT: 'words' })
  const answers = [
    await serving.get('/v1/datasets'),
    await serving.get('/v1/product-recalls?page=0'),
    await serving.get('/v1/datasets'),
  ]
  const requests = () => serving.log.filter(({ msg }) => msg === 'request')
  await until(() => requests().length === 3, 'the lines of the log')
  assert.deepEqual(
    requests().map(({ method, path, status, problem }) => [method, path, status, problem]),
    [
      ['GET', '/v1/datasets', 200, undefined],
      ['GET', '/v1/product-recalls?page=0', 400, 'INVALID_PARAMETER'],
      ['GET', '/v1/datasets', 200, undefined],
    ],
  )
  for (const line of requests()) {
    assert.doesNotMatch(JSON.stringify(line), /127\.0\.0\.1/)
    assert.equal(String(line.level), 'info')
    assert.equal(new Date(String(line.time)).toISOString(), line.time)
  }
  const ids = requests().map(({ traceId }) => String(traceId))
  assert.equal(new Set(ids).size, ids.length)
  for (const [i, { headers, text }] of answers.entries()) {
    const [, id] =
      /^traceparent;desc="00-([\da-f]{32})-[\da-f]{16}-00"$/.exec(String(headers['server-timing'])) ?? []
    assert.equal(id, ids[i])
    if (i === 1) assert.equal(JSON.parse(text).traceId, id)
  }
})
