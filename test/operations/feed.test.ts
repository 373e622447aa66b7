import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { CARPARKS, TOILETS } from '../support/island.ts'
import * as upstreams from '../support/misbehaving-upstream.ts'
import { everywhere, TEST_WORKERS } from '../support/pds.ts'
import { sumOf } from '../support/series.ts'
import type { Serving } from '../support/serving.ts'
import { kill, makeSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const INTERVAL_MS = 1000
/** One interval, and what a busy machine and this test's own asking take. */
const BACK_WITHIN_MS = INTERVAL_MS + 1000

/** A good answer of this time with these free spaces. */
const good = (time: string, spaces: number) =>
  upstreams.answers(upstreams.payload([upstreams.entry('HARBST', spaces)], time))

const FAILURES: Readonly<Record<string, upstreams.Behaviour>> = {
  'takes the request and never answers': upstreams.hangs,
  'resets the connection': upstreams.resets,
  'sends what is not HTTP': upstreams.sendsGarbage,
  'answers with JSON cut in the middle': upstreams.answers('{"carparkData":{"Jersey":{"carpark":[{"na'),
  'answers with an empty list': upstreams.answers(upstreams.payload([])),
  'sends to another address': upstreams.answersStatus(302, { location: 'http://169.254.169.254/' }),
  'asks to be left alone for a moment': upstreams.answersStatus(503, { 'retry-after': '1' }),
}

async function liveSpaces(serving: Serving) {
  const { status, headers, text } = await serving.get('/v1/carparks/live-spaces')
  return { status, headers, body: JSON.parse(text) }
}

/** What /readyz says of the feed, undefined where it does not name it. The service itself must be ready. */
async function feedTrouble(serving: Serving): Promise<{ since: string; detail: string } | undefined> {
  const { status, text } = await serving.admin('/readyz')
  assert.equal(status, 200, text)
  return JSON.parse(text).missing.find(({ what }: { what: string }) => what === 'live feed')
}

/** How the feed fares, as /readyz tells whether it fails or not. */
async function feedHealth(serving: Serving) {
  const { status, text } = await serving.admin('/readyz')
  assert.equal(status, 200, text)
  return JSON.parse(text).live
}

/** Polls so far that failed. */
async function failedPolls(serving: Serving): Promise<number> {
  return sumOf(await serving.metrics(), 'pds_feed_polls_total', labels => labels !== '{outcome="ok"}')
}

/** Waits until the reading of this time is served, and gives how long that took. */
async function timeUntilServed(serving: Serving, timestamp: string): Promise<number> {
  const from = performance.now()
  await until(
    () => everywhere(async () => (await liveSpaces(serving)).body.timestamp === timestamp),
    `the reading of ${timestamp}`,
  )
  return performance.now() - from
}

test('the feed fails in every way and recovers: the last good reading is served all the time', async t => {
  const [first, second, third] = [40, 30, 20].map(age => new Date(Date.now() - age * 1000).toISOString())
  assert.ok(first && second && third)
  const site = await makeSite(t)
  await site.publish('toilets', TOILETS)
  await site.publish('carparks', CARPARKS)
  const port = await freePort()
  const environment = { LIVE_FEED_URL: `http://127.0.0.1:${port}/feed`, LIVE_FEED_INTERVAL_S: '1' }
  let serving = await site.serve(environment)

  await t.test('nothing listens, and there is no reading yet: 503 with Retry-After', async () => {
    const { status, headers, body } = await liveSpaces(serving)
    assert.deepEqual([status, body.code], [503, 'DATASET_UNAVAILABLE'])
    assert.match(String(headers['retry-after']), /^[1-9]\d*$/)
    assert.ok(await until(() => feedTrouble(serving), 'the feed in /readyz'))
    const { readingAgeSeconds, lastGoodAt } = await feedHealth(serving)
    assert.deepEqual([readingAgeSeconds, lastGoodAt], [null, null])
    assert.equal((await serving.metrics()).get('pds_live_reading_age_seconds'), undefined)
    await until(async () => (await feedHealth(serving)).breaker === 'open', 'the breaker')
    assert.equal((await serving.metrics()).get('pds_feed_breaker_open'), 1)
    assert.ok(Number((await serving.metrics()).get('pds_feed_failed_polls')) >= 3)
  })

  let upstream = await upstreams.startUpstream(good(first, 11), port)
  let isUp = true
  t.after(() => isUp && upstream.close())
  await t.test('the feed comes: it is served within an interval, and its age is told', async () => {
    assert.ok((await timeUntilServed(serving, first)) < BACK_WITHIN_MS)
    assert.equal(await until(async () => !(await feedTrouble(serving))), true)
    const { lastGoodAt, readingAgeSeconds: age, role, ...health } = await feedHealth(serving)
    assert.equal(role, TEST_WORKERS > 1 ? 'leading' : undefined)
    assert.deepEqual(health, { polling: true, failedPolls: 0, breaker: 'closed', clock: 'ok' })
    assert.ok(lastGoodAt > first)
    const now = (Date.now() - Date.parse(first)) / 1000
    assert.ok(age >= 40 && age <= now, `${age} s`)
    assert.ok(Number((await serving.metrics()).get('pds_live_reading_age_seconds')) >= age)
    assert.equal((await serving.metrics()).get('pds_feed_breaker_open'), 0)
    assert.equal((await serving.metrics()).get('pds_feed_clock{state="ok"}'), 1)
  })

  const served = (await liveSpaces(serving)).body
  for (const [failure, behaviour] of Object.entries(FAILURES))
    await t.test(`it ${failure}: what is served stays`, async () => {
      const before = await failedPolls(serving)
      upstream.behaviour = behaviour
      await until(async () => {
        const asked = performance.now()
        assert.deepEqual((await liveSpaces(serving)).body, served)
        assert.ok(performance.now() - asked < 900, 'a request does not wait for the feed')
        return (await failedPolls(serving)) > before
      }, 'a poll that fails')
      assert.match(String((await feedTrouble(serving))?.detail), /\S/)
      assert.equal((await liveSpaces(serving)).status, 200)
    })
  assert.equal(upstream.mostAtOnce, 1, 'one request to the feed at a time')
  const told = serving.log.filter(({ event }) => event === 'feed-broken')
  assert.equal(told.length, 2, 'the log tells each time of failing once')

  await t.test('it works again: back within an interval, and /readyz names it no more', async () => {
    upstream.behaviour = good(second, 22)
    assert.ok((await timeUntilServed(serving, second)) < BACK_WITHIN_MS)
    assert.equal((await liveSpaces(serving)).body.results[0].spaces, 22)
    assert.equal(await feedTrouble(serving), undefined)
  })

  await t.test(
    'the service is killed and starts again while the feed is down: the reading is still there',
    async () => {
      await until(
        async () => (await site.store.readings.latestObservation())?.timestamp === second,
        'the stored reading',
      )
      isUp = false
      await upstream.close()
      await kill(serving.child)
      serving = await site.serve(environment)
      const { status, body } = await liveSpaces(serving)
      assert.deepEqual([status, body.timestamp, body.results[0].spaces], [200, second, 22])
      assert.ok(await until(() => feedTrouble(serving), 'the feed in /readyz'))
      upstream = await upstreams.startUpstream(good(third, 33), port)
      isUp = true
      assert.ok((await timeUntilServed(serving, third)) < BACK_WITHIN_MS)
    },
  )
})
