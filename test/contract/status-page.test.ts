import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { HEALTHY } from '../../src/parking/feed/feed.ts'
import { readSources } from '../../src/publishing/sources-file.ts'
import { emptyFolder } from '../support/folder.ts'
import { CARPARKS, ISLAND, OBSERVATION } from '../support/island.ts'
import { build, temporaryStore } from '../support/service.ts'

const text = (html: string) =>
  (html.split('<main')[1] ?? '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

test('the page of the state says how fresh each dataset is', async t => {
  const { app } = await build(t, ISLAND, {
    observation: { ...OBSERVATION, timestamp: new Date().toISOString() },
    metadata: { title: 'Island data', updateFrequency: 'MONTHLY' },
    environment: { UNAVAILABLE_DATASETS: 'toilets' },
  })
  const shown = text((await app.inject('/status')).body)
  assert.match(
    shown,
    /Registered vehicles Updated (?:today|yesterday) at \d\d:\d\d \(just now\) Updated every month\./,
  )
  assert.match(shown, /Next update expected by \w+ \d+ \w+/)
  assert.match(shown, /Not available: Public toilets\./)
  assert.match(shown, /Last reading (?:today|yesterday) at \d\d:\d\d/)
  assert.match(shown, /Latest releases/)
})

test('without a reading, and with nothing published, the page says so', async t => {
  const { app } = await build(t)
  const { statusCode, body } = await app.inject('/status')
  assert.equal(statusCode, 200)
  assert.match(text(body), /We have no live counts yet/)
  assert.match(text(body), /Public toilets Not available at the moment\. Nothing is published yet\./)
})

test('without a live feed no page says that car parks are counted, and all is well', async t => {
  const { app } = await build(t, ISLAND, { live: { health: () => HEALTHY } })
  const status = text((await app.inject('/status')).body)
  assert.match(status, /Everything is working\./)
  assert.match(status, /This service has no live feed, so it does not count free spaces\./)
  const [, beach] = CARPARKS
  for (const path of ['/', '/parking', '/parking/HARBST', `/parking/${beach?.id}`, '/docs', '/map']) {
    const { statusCode, body } = await app.inject(path)
    assert.equal(statusCode, 200, path)
    assert.doesNotMatch(
      body,
      /counted all the time|live counts|free spaces now|not counted this car park|yet/i,
      path,
    )
  }
  assert.match(text((await app.inject('/parking')).body), /This service has no live feed/)
  assert.match(text((await app.inject('/parking/HARBST')).body), /no live counter/)
  const { detail } = (await app.inject('/v1/carparks/live-spaces')).json()
  assert.match(detail, /This service has no live feed/)
})

test('a reading from before the feed was taken away is no feed that has stopped', async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVATION, live: { health: () => HEALTHY } })
  const status = text((await app.inject('/status')).body)
  assert.match(status, /Everything is working\./)
  assert.match(status, /does not count free spaces\./)
})

test('a test entry that comes into the feed and leaves it is no counter that fails', async t => {
  const at = (ms: number) => new Date(Date.now() + ms).toISOString()
  const { entries } = OBSERVATION
  const withTest = [...entries, { name: 'TEST', code: 'TEST', spaces: 127, status: 'good', open: true }]
  const { app, observe } = await build(t, ISLAND, {
    observation: { timestamp: at(-2000), entries: withTest },
  })
  assert.match(text((await app.inject('/status')).body), /Everything is working\./)
  await observe({ timestamp: at(-1000), entries })
  assert.match(text((await app.inject('/status')).body), /Everything is working\./)
})

test('a faulty counter is a warning, and what nobody can use is bad', async t => {
  const quay = { ...CARPARKS[1], id: 'c1b0a3de-9a43-4b27-8f5e-0d6d7e8f9a03', liveTrackingCode: 'QUAY' }
  const carparks = [...CARPARKS, quay]
  const entryOf = (code: string, spaces: number) => ({ code, name: code, spaces, open: true, status: 'good' })
  const entries = [entryOf('HARBST', 9000), entryOf('QUAY', 5)]
  const observation = { timestamp: new Date().toISOString(), entries }
  const verdictOf = async (environment: Record<string, string>) => {
    const { app } = await build(t, { ...ISLAND, carparks }, { observation, environment })
    return /<strong class="status-(\w+)">(.*?)<\/strong>/.exec((await app.inject('/status')).body)?.slice(1)
  }
  assert.deepEqual(await verdictOf({}), ['warning', '1 of 2 counters is faulty.'])
  assert.deepEqual(await verdictOf({ UNAVAILABLE_DATASETS: 'toilets' }), [
    'bad',
    'Not available: Public toilets. 1 of 2 counters is faulty.',
  ])
})

test('an old reading is a feed that has stopped', async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVATION })
  assert.match(text((await app.inject('/status')).body), /The live feed has stopped/)
})

test('the page of the state shows the last full days of the feed and of each counter', async t => {
  const today = new Date().setUTCHours(0, 0, 0, 0)
  const [harbour] = CARPARKS
  const code = harbour?.liveTrackingCode ?? assert.fail()
  function* history() {
    // Two whole days at different rhythms, and two thirds of a day. Yesterday has none.
    for (const [day, everyMinutes, hours] of [
      [4, 5, 24],
      [3, 15, 24],
      [2, 5, 16],
    ] as const)
      for (let minute = 0; minute < hours * 60; minute += everyMinutes) {
        const at = today - day * 86_400_000 + minute * 60_000
        yield { code, name: 'Harbour St', at, spaces: 100 + ((at / 60_000) % 97), open: true, status: 'good' }
      }
  }
  const { app } = await build(t, ISLAND, {
    observation: { ...OBSERVATION, timestamp: new Date().toISOString() },
    history: history(),
  })
  const { body } = await app.inject('/status')
  assert.match(text(body), /Live feed 2 good days, 1 partly good, 1 bad, 26 without readings/)
  assert.match(text(body), /Harbour Street \d good days?, /)
  const [, bars = ''] = body.split('class="status-days"')
  assert.equal([...bars.matchAll(/<rect /g)].length, 2 * 30)
})

test('the page of the state shows the last full days of each followed source, none of them bad', async t => {
  const folder = await emptyFolder(t)
  const file = join(folder, 'sources.json')
  const entry = { dataset: 'toilets', url: 'https://data.example/toilets.json', every: '2h' }
  writeFileSync(file, JSON.stringify({ sources: [entry] }))
  const sources = readSources({ SOURCES: file })
  const databaseUrl = `sqlite:${join(folder, 'store')}`
  const { sources: states } = await temporaryStore(t, databaseUrl)
  const at = new Date().toISOString()
  const dayBefore = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10)
  const days = [
    { date: dayBefore(3), succeeded: 12, failed: 0 },
    { date: dayBefore(2), succeeded: 0, failed: 12 },
    { date: dayBefore(0), succeeded: 1, failed: 0 },
  ]
  await states.save({
    ...{ dataset: 'toilets', configuration: sources[0]?.configuration ?? '', days },
    ...{ triedAt: at, outcome: 'not changed', reason: null, succeededAt: at, changed: null, refused: null },
    ...{ failures: 0, failingSince: null, dueAt: '2999-01-01T00:00:00.000Z', validators: {}, hash: null },
  })
  const { app } = await build(t, ISLAND, { databaseUrl, sources })
  const described = async () => (await app.inject('/v1/datasets/toilets')).json().freshness
  for (let tries = 0; (await described()).sourceDays.length === 0 && tries < 100; tries++)
    await new Promise(resolve => setTimeout(resolve, 50))
  const { sourceDays, sourceTriedAt } = await described()
  assert.deepEqual([sourceDays, sourceTriedAt], [days, at])
  const { body } = await app.inject('/status')
  assert.match(text(body), /Public toilets 1 good day, 1 with failed checks, 28 without checks/)
  assert.doesNotMatch(body, /day-bad/)
})
