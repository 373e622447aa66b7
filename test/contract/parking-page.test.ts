import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Observation } from '../../src/store/store.ts'
import { CARPARKS } from '../support/island.ts'
import { build, publish } from '../support/service.ts'
import { until } from '../support/until.ts'

const TIME = '2024-07-04T12:00:00.000Z'
const now = () => Date.parse(TIME) + 60_000
const entry = (code: string, spaces: number, open = true) => ({
  ...{ code, spaces, open, status: 'good' },
  name: code === 'HARBST' ? 'Harbour <b>Street</b>' : code,
})
const observation = (...entries: Observation['entries']): Observation => ({ timestamp: TIME, entries })

async function rowsOf(entries: Observation['entries'], at = now) {
  const content = {
    carparks: [...CARPARKS, { ...CARPARKS[1], id: undefined, name: 'Quay', liveTrackingCode: 'QUAY' }],
  }
  return { content: JSON.parse(JSON.stringify(content)), observation: observation(...entries), at }
}

test('the page shows local times, escapes names, and leaves out entries that are not car parks', async t => {
  const { content, observation } = await rowsOf([
    entry('HARBST', 332),
    entry('QUAY', 5, false),
    entry('TEST', 100),
  ])
  const { app } = await build(t, content, { observation, now, synthetic: true })
  const { statusCode, headers, body } = await app.inject('/parking')
  assert.equal(statusCode, 200)
  assert.match(String(headers['content-type']), /^text\/html/)
  assert.equal(headers['synthetic-data'], 'true')
  assert.match(body, /Thursday 4 July at 13:00/)
  assert.match(body, /Harbour &lt;b&gt;Street&lt;\/b&gt;<\/th>\s*<td class="count"><strong>332<\/strong>/)
  assert.match(body, /QUAY<\/th>\s*<td>closed/)
  assert.match(body, /not known/, 'nothing is known of the next hour')
  assert.doesNotMatch(body, /TEST/)
  const [, script] = /<script type="module" src="([^"]+)">/.exec(body) ?? []
  assert.match(
    String(headers['content-security-policy']),
    /default-src 'none'.*script-src 'self';connect-src 'self'$/,
  )
  const { headers: about } = await app.inject(String(script))
  assert.equal(about['content-type'], 'text/javascript; charset=utf-8')
  assert.match((await app.inject('/')).body, /href="\/parking"/)
})

test('the page does not show a count that cannot be trusted, and says why', async t => {
  const { content, observation } = await rowsOf([entry('HARBST', 9000), entry('QUAY', 5)])
  const { app } = await build(t, content, { observation, now })
  const { body } = await app.inject('/parking')
  assert.match(
    body,
    /<td class="unknown">not known<\/td>[\s\S]*The counter shows 9000, which is not possible\./,
  )
  const late = await build(t, content, { observation, now: () => now() + 20 * 60_000 })
  assert.match((await late.app.inject('/parking')).body, /There is no new count\. The last was 5\./)
})

test('the page says when there is no reading or car parks are out of service', async t => {
  const { content, observation } = await rowsOf([entry('HARBST', 332)])
  const none = await build(t, content, { now })
  assert.match((await none.app.inject('/parking')).body, /No counts have been received yet/)
  const environment = { UNAVAILABLE_DATASETS: 'carparks' }
  const out = await build(t, content, { observation, now, environment })
  assert.match((await out.app.inject('/parking')).body, /No counts have been received yet/)
})

test('a car park that the feed no longer lists stays, without a number, as long as its code is published', async t => {
  const { content, observation } = await rowsOf([entry('HARBST', 332), entry('QUAY', 5), entry('TEST', 100)])
  const { app, store, observe, snapshots } = await build(t, content, { observation, now })
  await observe({ timestamp: '2024-07-04T12:00:30.000Z', entries: [entry('HARBST', 333)] })
  const { body } = await app.inject('/parking')
  assert.match(
    body,
    /QUAY<\/th>\s*<td class="unknown">no count now<\/td>[\s\S]*not counted this car park since Thursday 4 July at 13:00\./,
  )
  assert.ok(body.indexOf('QUAY') > body.indexOf('Harbour'))
  assert.doesNotMatch(body, /TEST/)
  await publish(store, 'carparks', content.carparks.slice(0, 2))
  await until(() => snapshots.get('carparks')?.release.number === 2, 'the second release')
  await until(async () => !(await app.inject('/parking')).body.includes('QUAY'), 'a page without it')
})

test('a published code that the feed has never listed is on the page; without a release those of last week are', async t => {
  const { content, observation } = await rowsOf([entry('HARBST', 332)])
  const published = await build(t, content, { observation, now })
  assert.match(
    (await published.app.inject('/parking')).body,
    /Quay<\/th>\s*<td class="unknown">no count now<\/td>[\s\S]*The feed has not counted this car park yet\./,
  )
  const { app, observe } = await build(t, {}, { observation, now })
  await observe({ timestamp: '2024-07-04T12:00:30.000Z', entries: [entry('QUAY', 5)] })
  assert.match(
    (await app.inject('/parking')).body,
    /Harbour &lt;b&gt;Street&lt;\/b&gt;<\/th>\s*<td class="unknown">no count now/,
  )
})

test('Last-Modified is when the counts on the page changed, and no two pages share one', async t => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse(TIME) })
  const { content, observation } = await rowsOf([entry('HARBST', 332)])
  const { app, observe } = await build(t, content, { observation })
  const get = (headers = {}) => app.inject({ url: '/parking', headers })
  const dated = async () => {
    const { body, headers } = await get()
    return [/<strong>(\d+)/.exec(body)?.[1], String(headers['last-modified']).slice(17, 25)]
  }
  assert.deepEqual(await dated(), ['332', '12:00:00'])
  t.mock.timers.tick(20_000)
  assert.deepEqual(await dated(), ['332', '12:00:00'], 'the same page keeps its date')

  t.mock.timers.tick(40_000)
  await observe({ timestamp: '2024-07-04T12:00:30.000Z', entries: [entry('HARBST', 333)] })
  assert.deepEqual(await dated(), ['333', '12:01:00'], 'not the time of the feed, when it was not shown')
  await observe({ timestamp: '2024-07-04T12:00:35.000Z', entries: [entry('HARBST', 334)] })
  assert.deepEqual(await dated(), ['333', '12:01:00'], 'within a second the page stays')
  t.mock.timers.tick(1000)
  assert.deepEqual(await dated(), ['334', '12:01:01'])

  const since = async (time: string) =>
    (await get({ 'if-modified-since': `Thu, 04 Jul 2024 ${time} GMT` })).statusCode
  assert.deepEqual([await since('12:01:00'), await since('12:01:01')], [200, 304])

  // The count becomes too old by time alone.
  t.mock.timers.tick(20 * 60_000)
  assert.deepEqual(await dated(), [undefined, '12:21:01'])
  assert.equal(await since('12:01:01'), 200)
})
