import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Observation } from '../../src/store/store.ts'
import { CARPARKS } from '../support/island.ts'
import { build } from '../support/service.ts'

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
