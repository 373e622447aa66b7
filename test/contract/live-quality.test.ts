import assert from 'node:assert/strict'
import { test } from 'node:test'
import { told } from '../support/counted-past.ts'
import { CARPARKS, ISLAND } from '../support/island.ts'
import { FOUR_WEEKS, judgedHarbour, LAST, MONDAY_10H } from '../support/judged-harbour.ts'
import { build } from '../support/service.ts'

const MINUTE = 60_000
const iso = (at: number) => new Date(at).toISOString()

test('a count that changes as usual is good, and an old one is stale', async t => {
  const { be, quality, get } = await judgedHarbour(t)
  be(MONDAY_10H + 84_900)
  const times = { observedAt: iso(MONDAY_10H), changedAt: iso(MONDAY_10H) }
  assert.deepEqual(await quality(), {
    ...{ quality: 'good', reason: null, detail: null, ...times, ageSeconds: 84 },
  })
  be(MONDAY_10H + 15 * MINUTE)
  assert.equal((await quality()).quality, 'good')
  be(MONDAY_10H + 15 * MINUTE + 1000)
  assert.deepEqual(await quality(), {
    ...{ quality: 'stale', reason: 'reading-too-old', ...times, ageSeconds: 901 },
    detail: 'There has been no new reading for more than 15 minutes.',
  })
  assert.equal((await get('/v1/carparks/HARBST/live')).spaces, LAST)
})

test('a feed whose clock is ahead does not cause a negative age', async t => {
  const { be, quality } = await judgedHarbour(t)
  be(MONDAY_10H - 90_000)
  assert.equal((await quality()).ageSeconds, 0)
})

test('a count that stops changing when it normally changes is frozen within 90 minutes, and good once it changes', async t => {
  const { tellCounts, quality } = await judgedHarbour(t)
  await tellCounts(Array(4).fill(LAST))
  assert.equal((await quality()).quality, 'good')
  await tellCounts(Array(14).fill(LAST))
  const { quality: found, reason, changedAt, ageSeconds } = await quality()
  assert.deepEqual([found, reason], ['frozen', 'standing-still'])
  assert.deepEqual([changedAt, ageSeconds], [iso(MONDAY_10H), 0])
  await tellCounts([-5, -9, -14, -16, -21, -25].map(change => LAST + change))
  assert.equal((await quality()).quality, 'good')
})

test('a count that jumps, exceeds the spaces, or belongs to no car park is implausible', async t => {
  const { tell, tellCounts, quality } = await judgedHarbour(t)
  await tellCounts([0])
  const jumped = await quality()
  assert.deepEqual([jumped.quality, jumped.reason], ['implausible', 'impossible-jump'])
  await tellCounts([LAST - 3])
  assert.equal((await quality()).quality, 'good')
  await tellCounts([700])
  assert.equal((await quality()).reason, 'above-capacity')
  const at = MONDAY_10H + 20 * MINUTE
  await tell(told(at, { spaces: LAST - 5 }, { code: 'TEST', name: 'Test entry', spaces: 40 }))
  assert.equal((await quality()).quality, 'good')
  const test = await quality('TEST')
  assert.deepEqual([test.quality, test.reason], ['implausible', 'no-car-park-record'])
})

test('a car park that the feed no longer lists is in `missing`, and its own endpoint has no count', async t => {
  const { tell, quality, get } = await judgedHarbour(t)
  await tell(told(MONDAY_10H + 5 * MINUTE, { code: 'OTHER', name: 'Other', spaces: 1 }))
  const { results, missing } = await get('/v1/carparks/live-spaces?include=quality')
  assert.deepEqual(
    results.map(({ code }: { code: string }) => code),
    ['OTHER'],
  )
  const gone = {
    ...{ quality: 'missing', reason: 'no-longer-listed', observedAt: iso(MONDAY_10H) },
    ...{ detail: 'The feed no longer lists this car park.', changedAt: iso(MONDAY_10H), ageSeconds: 300 },
  }
  assert.deepEqual(missing, [{ code: 'HARBST', name: 'Harbour St', ...gone }])
  assert.deepEqual(await get('/v1/carparks/HARBST/live'), {
    ...{ code: 'HARBST', name: 'Harbour St', spaces: null, status: null, open: null, ...gone },
    trend: null,
  })
  await tell(told(MONDAY_10H + 10 * MINUTE, { spaces: LAST - 4 }))
  assert.equal((await quality()).quality, 'good')
})

test('a car park that the feed has never listed is missing', async t => {
  const { app } = await build(t, ISLAND)
  const answer = (await app.inject('/v1/carparks/harbst/live')).json()
  assert.deepEqual(answer, {
    ...{ code: 'HARBST', name: 'Harbour Street', spaces: null, status: null, open: null },
    ...{ quality: 'missing', reason: 'never-listed', detail: 'The feed has not listed this car park.' },
    ...{ observedAt: null, changedAt: null, ageSeconds: null, trend: null },
  })
})

test('a car park that the feed reports closed is closed, however old the reading', async t => {
  const { tell, be, quality, get } = await judgedHarbour(t)
  const at = MONDAY_10H + 5 * MINUTE
  await tell(told(at, { spaces: LAST, open: false, status: 'shut' }))
  be(at + 60 * MINUTE)
  const closed = await quality()
  assert.deepEqual([closed.quality, closed.reason, closed.ageSeconds], ['closed', 'feed-says-closed', 3600])
  const { spaces, status, open } = await get('/v1/carparks/HARBST/live')
  assert.deepEqual([spaces, status, open], [LAST, 'shut', false])
})

test('the last reading before a long outage is served with its age, also after a restart', async t => {
  const { at = 0, spaces } = FOUR_WEEKS.at(-1) ?? assert.fail()
  const later = at + 200 * 24 * 60 * MINUTE
  const { app } = await build(t, ISLAND, { history: FOUR_WEEKS, now: () => later })
  const { quality, observedAt, ageSeconds } = (await app.inject('/v1/carparks/HARBST/live')).json()
  assert.deepEqual([quality, observedAt, ageSeconds], ['stale', iso(at), 200 * 86_400])
  const { results } = (
    await app.inject(`/v1/carparks/HARBST/history?interval=raw&from=${iso(at)}&to=${iso(at + 1)}`)
  ).json()
  assert.deepEqual(
    results.map((row: { spaces: number }) => row.spaces),
    [spaces],
  )
})

test('the body that the contract fixes does not depend on data quality', async t => {
  const { app, tell } = await judgedHarbour(t)
  const observation = told(MONDAY_10H + 5 * MINUTE, { spaces: 700 }, { code: 'TEST', spaces: 0, open: false })
  await tell(observation)
  const { entries, timestamp } = observation
  const results = entries.map(({ name, code, spaces, status, open }) => ({
    name,
    code,
    spaces,
    status,
    open,
  }))
  const plain = JSON.stringify({ results, timestamp })
  for (const query of ['', '?include=', '?includeCarparkInfo=false', '?include=%20,'])
    assert.equal((await app.inject(`/v1/carparks/live-spaces${query}`)).body, plain, query)
  const { paymentMethods: _, ...carparkInfo } = CARPARKS[0] ?? assert.fail()
  const withInfo = results.map((entry, place) => ({
    ...entry,
    carparkInfo: place === 0 ? carparkInfo : null,
  }))
  const { body } = await app.inject('/v1/carparks/live-spaces?includeCarparkInfo=true')
  assert.equal(body, JSON.stringify({ results: withInfo, timestamp }))
})

test('quality and car park info can be combined', async t => {
  const { get } = await judgedHarbour(t)
  const { results } = await get('/v1/carparks/live-spaces?include=quality&includeCarparkInfo=true')
  assert.deepEqual([results[0].quality, results[0].carparkInfo.name], ['good', 'Harbour Street'])
  const wrong = await get('/v1/carparks/live-spaces?include=qualty')
  assert.equal(wrong.errors[0].nearest, 'quality')
})
