import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSilent, toldTime } from '../../demo/feed/feed-faults.ts'
import { feedTime } from '../../demo/feed/feed-payload.ts'
import { wallTime } from '../../demo/feed/free-spaces.ts'
import { typicalWeekOf } from '../support/learned.ts'
import type { Answer, Serving } from '../support/serving.ts'
import { makeSite } from '../support/site.ts'
import { strayAddresses } from '../support/tutorial.ts'

const VEHICLES = 131_000

/** What every answer of the synthetic island says, so that nobody takes it for a real one. */
async function get(serving: Serving, path: string): Promise<Answer> {
  const answer = await serving.get(path)
  assert.equal(answer.status, 200, `${path}: ${answer.text.slice(0, 200)}`)
  assert.equal(answer.headers['synthetic-data'], 'true', path)
  return answer
}

const json = async (serving: Serving, path: string) => JSON.parse((await get(serving, path)).text)
const sum = (counts: Record<string, number>) =>
  Object.values(counts).reduce((total, count) => total + count, 0)

test('pds demo fills an empty folder with the synthetic island and serves all of it, marked as such', async t => {
  const site = await makeSite(t)
  const began = performance.now()
  const serving = await site.serve({}, ['demo'])
  t.diagnostic(`filled and served after ${((performance.now() - began) / 1000).toFixed(1)} s`)

  await t.test('the lists are whole', async () => {
    const { pagination, results } = await json(serving, '/v1/vehicles')
    assert.deepEqual(pagination, {
      page: 1,
      limit: 30,
      totalPages: Math.ceil(VEHICLES / 30),
      totalItems: VEHICLES,
    })
    assert.equal(results.length, 30)
    for (const path of ['/v1/vehicles/makes', '/v1/vehicles/stats/makes'])
      assert.equal(sum((await json(serving, path)).results), VEHICLES)
    for (const path of ['/v1/vehicles/stats/colors', '/v1/vehicles/colors'])
      assert.equal(sum((await json(serving, path)).results), VEHICLES)
    const counts = { carparks: 79, toilets: 55, recycling: 58, defibrillators: 75 }
    for (const [name, count] of Object.entries(counts))
      assert.equal((await json(serving, `/v1/${name}`)).results.length, count, name)
    assert.equal((await json(serving, '/v1/product-recalls')).pagination.totalItems, 900)
  })

  await t.test(
    'live spaces come from the simulated feed, now, and belong to car parks of the list',
    async () => {
      const { results, timestamp } = await json(serving, '/v1/carparks/live-spaces?includeCarparkInfo=true')
      assert.ok(results.length > 0)
      // By night the simulated feed stands still for a while, its time with it.
      const told = feedTime(new Date()).getTime()
      assert.ok(Date.parse(timestamp) <= told && told - Date.parse(timestamp) < 90_000, timestamp)
      for (const { code, spaces, carparkInfo } of results) {
        if (code === 'TEST') {
          assert.equal(carparkInfo, null)
          continue
        }
        assert.ok(spaces >= 0 && spaces <= carparkInfo.spaces)
        const alone = await json(serving, `/v1/carparks/${code}`)
        assert.deepEqual(alone, carparkInfo)
      }
    },
  )

  await t.test('every address of the tutorial exists', async () => {
    const { followed, stray } = await strayAddresses(path => serving.get(path), serving.url)
    assert.deepEqual(stray, [])
    assert.ok(followed.includes('/v1/carparks/GRIFFINST'), followed.join())
  })

  await t.test('the invented feed goes wrong, and the service tells of it', async () => {
    assert.equal((await typicalWeekOf(serving, 'FABLELANE')).results.length, 8)
    const { results, missing } = await json(serving, '/v1/carparks/live-spaces?include=quality')
    const qualities = new Map(
      [...results, ...missing].map(({ code, quality }: { code: string; quality: string }) => [code, quality]),
    )
    assert.equal(qualities.size, 9)
    // By night the whole feed stands still, and after a while each count in it is old.
    const wall = wallTime(new Date())
    const quality = qualities.get('TEST') ?? ''
    assert.ok(quality === 'implausible' || (toldTime(wall) !== wall && quality === 'stale'), quality)
    // What stands still, is closed or left out follows the clock; all are told one of the words.
    for (const quality of qualities.values())
      assert.match(quality, /^(good|stale|frozen|implausible|missing|closed)$/)
    const history = await json(serving, '/v1/carparks/FABLELANE/history?interval=1d')
    assert.ok(
      history.results.length >= 31 && history.results.every(({ count }: { count: number }) => count > 0),
    )
    const forecast = await json(serving, '/v1/carparks/GRIFFINST/forecast')
    assert.equal(forecast.results.length, forecast.reason === null ? 4 : 0)
  })

  await t.test('the front page, the documentation and the catalogue say that it is synthetic', async () => {
    for (const path of ['/', '/parking', '/map', '/vehicles', '/recalls', '/data', '/docs/', '/status']) {
      const { text } = await get(serving, path)
      assert.match(text, /<html/i)
      for (const [, script] of text.matchAll(/<script[^>]* src="([^"]+)"/g))
        assert.equal((await serving.get(String(script))).status, 200, script)
    }
    assert.match((await get(serving, '/')).text, /synthetic/i)
    assert.match((await get(serving, '/openapi.json')).text, /synthetic/i)
    const { results } = await json(serving, '/v1/datasets')
    assert.ok(results.every((entry: { synthetic: boolean }) => entry.synthetic))
  })

  await t.test(
    'it is ready, and a second start serves the same island without filling it again',
    async () => {
      const { ready, missing, live } = JSON.parse((await serving.admin('/readyz')).text)
      assert.deepEqual([ready, live.polling, live.clock], [true, true, 'ok'])
      const silent = isSilent(wallTime(new Date()))
      for (const { what } of missing) assert.ok(silent && what === 'live feed', what)
      const before = await json(serving, '/v1/datasets')
      assert.equal((await serving.stop('SIGINT')).status, 0)
      const again = await site.serve({}, ['demo'])
      assert.deepEqual(await json(again, '/v1/datasets'), before)
    },
  )
})
