import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HistoricReading } from '../../src/store/store.ts'
import { HARBOUR, told } from '../support/counted-past.ts'
import { openStream } from '../support/event-streams.ts'
import { FOUR_WEEKS, judgedHarbour, LAST, MONDAY_10H } from '../support/judged-harbour.ts'
import { STREAM } from '../support/live-stream.ts'
import { listen } from '../support/raw-http.ts'
import { until } from '../support/until.ts'

const MINUTE = 60_000
const LIVE = '/v1/carparks/HARBST/live'
const ALL = '/v1/carparks/live-spaces?include=quality'
const FORECASTS = '/v1/carparks/live-spaces?include=forecast'
const PLACES = '/v1/places?dataset=carparks&include=live'

/** Two hours of a counter that is stuck. */
const STUCK: HistoricReading[] = Array.from({ length: 25 }, (_, step) => ({
  ...HARBOUR,
  ...{ at: MONDAY_10H + step * 5 * MINUTE, spaces: LAST, open: true, status: 'good' },
}))
const NOW = MONDAY_10H + 2 * 60 * MINUTE

test('until the past has been read no count is good, and what needs the past is not there', async t => {
  let read = () => {}
  const historyHeldUp = new Promise<void>(resolve => {
    read = resolve
  })
  const { app, get, parking } = await judgedHarbour(t, {
    ...{ at: NOW, history: [...FOUR_WEEKS, ...STUCK], observation: told(NOW, { spaces: LAST }) },
    historyHeldUp,
  })
  const stream = await openStream(t, `http://127.0.0.1:${await listen(app)}${STREAM}`)
  const ofStream = () => JSON.parse(stream.events.at(-1)?.data ?? '').results[0]
  try {
    for (const what of ['forecast', 'typical', 'history']) {
      const { statusCode, headers, body } = await app.inject(`/v1/carparks/HARBST/${what}`)
      assert.deepEqual(
        [statusCode, headers['retry-after'], headers['cache-control']],
        [503, '3', 'no-store'],
        what,
      )
      assert.match(JSON.parse(body).detail, /has just started/, what)
    }
    const told = { quality: 'unknown', reason: 'history-not-read', changedAt: null, trend: null }
    const { quality, reason, changedAt, trend, detail, spaces } = await get(LIVE)
    assert.deepEqual({ quality, reason, changedAt, trend }, told)
    assert.match(detail, /has just started/)
    assert.equal(spaces, LAST)
    const [inList] = (await get(`${ALL},forecast`)).results
    assert.deepEqual([inList.quality, inList.forecast], ['unknown', []])
    assert.deepEqual([ofStream().quality, ofStream().detail], ['unknown', detail])
    const places = (await get(PLACES)).results.map((place: { quality: string | null }) => place.quality)
    assert.ok(places.includes('unknown') && !places.includes('good'), String(places))
    for (const path of [LIVE, ALL, FORECASTS, PLACES, '/parking', '/parking/HARBST', '/'])
      assert.equal((await app.inject(path)).headers['cache-control'], 'no-store', path)
    for (const path of ['/parking', '/parking/HARBST'])
      assert.match(
        (await app.inject(path)).body,
        /This count is not checked yet. The service has just started/,
        path,
      )
    const contract = await app.inject('/v1/carparks/live-spaces')
    assert.match(String(contract.headers['cache-control']), /^public/)
    assert.equal(contract.json().results[0].spaces, LAST)
  } finally {
    read()
  }
  await until(() => parking.hasReadHistory(), 'the past')
  assert.equal((await get(LIVE)).quality, 'frozen')
  await until(() => ofStream().quality === 'frozen', 'a change')
  for (const path of [LIVE, ALL, PLACES, '/v1/carparks/HARBST/typical'])
    assert.match(String((await app.inject(path)).headers['cache-control']), /^public/, path)
})

test('a car park that is closed, or that no one has published, is so without a past', async t => {
  let read = () => {}
  const historyHeldUp = new Promise<void>(resolve => {
    read = resolve
  })
  const observation = told(
    MONDAY_10H,
    { spaces: LAST, open: false },
    { code: 'TEST', name: 'TEST', spaces: 5 },
  )
  const { get, quality } = await judgedHarbour(t, { observation, historyHeldUp })
  try {
    assert.deepEqual(
      [(await quality()).quality, (await quality('TEST')).reason],
      ['closed', 'no-car-park-record'],
    )
    assert.equal((await get(LIVE)).changedAt, null)
  } finally {
    read()
  }
})
