import assert from 'node:assert/strict'
import { test } from 'node:test'
import { told } from '../support/counted-past.ts'
import { CARPARKS, ISLAND } from '../support/island.ts'
import { judgedHarbour, MONDAY_10H } from '../support/judged-harbour.ts'
import { build } from '../support/service.ts'

const ABOUT_ONE = ['live', 'history', 'forecast', 'typical']
const ABOUT_ALL = '/v1/carparks/live-spaces/history'
const [HARBOUR_ID = '', BEACH_ID = ''] = CARPARKS.map(({ id }) => id)

test('a car park with live counts is found by id and by code, ignoring case', async t => {
  const { app } = await judgedHarbour(t)
  for (const what of ABOUT_ONE) {
    const { body, statusCode } = await app.inject(`/v1/carparks/HARBST/${what}`)
    assert.equal(statusCode, 200, what)
    for (const name of ['harbst', 'HarbSt', HARBOUR_ID, HARBOUR_ID.toUpperCase(), '%48ARBST'])
      assert.equal((await app.inject(`/v1/carparks/${name}/${what}`)).body, body, `${name} ${what}`)
  }
})

test('a feed entry without a car park record has the same endpoints as others', async t => {
  const { app, tell } = await judgedHarbour(t)
  await tell(told(MONDAY_10H + 300_000, { code: 'TEST', name: 'Test', spaces: 3 }))
  for (const what of ABOUT_ONE) {
    const answer = await app.inject(`/v1/carparks/test/${what}`)
    assert.equal(answer.statusCode, 200, what)
    assert.deepEqual([answer.json().code, answer.json().name], ['TEST', 'Test'])
  }
})

test('a car park without live counts is 404 with the known codes and the nearest match', async t => {
  const { app } = await judgedHarbour(t)
  for (const what of ABOUT_ONE) {
    for (const name of ['HARBTS', 'live-spaces', 'null', '__proto__', HARBOUR_ID.slice(1), BEACH_ID]) {
      const path = `/v1/carparks/${name}/${what}`
      // The history of all car parks lies at the place of that name.
      if (path === ABOUT_ALL) continue
      const answer = await app.inject(path)
      assert.equal(answer.statusCode, 404, path)
      const { code, errors } = answer.json()
      assert.deepEqual([code, errors[0].parameter, errors[0].value], ['NOT_FOUND', 'idOrCode', name])
      assert.equal(errors[0].allowed, 'one of HARBST')
      assert.equal(errors[0].nearest, name === 'HARBTS' ? 'HARBST' : undefined)
    }
    const beach = await app.inject(`/v1/carparks/${BEACH_ID}/${what}`)
    assert.equal(beach.json().detail, 'The live feed does not cover this car park.')
    const long = await app.inject(`/v1/carparks/${'x'.repeat(101)}/${what}`)
    assert.equal(long.statusCode, 414)
  }
})

test('without any car park and any reading the status is 503', async t => {
  const { app } = await build(t)
  for (const path of [...ABOUT_ONE.map(what => `/v1/carparks/HARBST/${what}`), ABOUT_ALL]) {
    const answer = await app.inject(path)
    assert.equal(answer.statusCode, 503, path)
    assert.equal(answer.json().code, 'DATASET_UNAVAILABLE')
    assert.match(String(answer.headers['retry-after']), /^\d+$/)
  }
})

test('with car parks but no counts there is an empty history and no forecast', async t => {
  const { app } = await build(t, ISLAND)
  assert.equal((await app.inject(ABOUT_ALL)).body, '{"results":[]}')
  const { results } = (await app.inject('/v1/carparks/HARBST/history?interval=1h')).json()
  assert.ok(results.length >= 168 && results.every(({ count }: { count: number }) => count === 0))
  assert.equal((await app.inject('/v1/carparks/HARBST/forecast')).json().reason, 'COUNT_NOT_TRUSTED')
})

test('counts are served without a published list of car parks', async t => {
  const { app, observe } = await build(t, {}, { now: () => MONDAY_10H })
  await observe(told(MONDAY_10H, { spaces: 12 }))
  for (const path of [...ABOUT_ONE.map(what => `/v1/carparks/HARBST/${what}`), ABOUT_ALL])
    assert.equal((await app.inject(path)).statusCode, 200, path)
  assert.equal((await app.inject('/v1/carparks/HARBST/live')).json().quality, 'good')
})

test('when taken out of service, all parking endpoints are 503', async t => {
  const environment = { UNAVAILABLE_DATASETS: 'carparks' }
  const { app } = await judgedHarbour(t, { environment })
  const all = ['/v1/carparks/live-spaces?include=quality', '/v1/carparks/live-spaces', ABOUT_ALL]
  for (const path of [...ABOUT_ONE.map(what => `/v1/carparks/HARBST/${what}`), ...all])
    assert.equal((await app.inject(path)).statusCode, 503, path)
})
