import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Observation } from '../../src/store/store.ts'
import { CARPARKS, TOILETS } from '../support/island.ts'
import { openPage } from '../support/pages.ts'
import { build, publish } from '../support/service.ts'
import { until } from '../support/until.ts'

const TIME = '2024-07-04T12:00:00.000Z'
const now = () => Date.parse(TIME) + 60_000
const entry = (code: string, spaces: number, open = true) => ({
  ...{ code, spaces, open, status: 'good' },
  name: code === 'HARBST' ? 'Harbour <b>St</b>' : code,
})
const observation = (...entries: Observation['entries']): Observation => ({ timestamp: TIME, entries })

const QUAY = { ...CARPARKS[1], id: undefined, name: 'Quay', liveTrackingCode: 'QUAY', latitude: 49.19 }
const HARBOUR = { ...CARPARKS[0], name: 'Harbour <b>Street</b>' }
const CONTENT = JSON.parse(
  JSON.stringify({ carparks: [HARBOUR, CARPARKS[1], { ...QUAY, longitude: -2.05 }], toilets: TOILETS }),
)

/** The text of each car park on the page, in their order. */
const itemsOf = (body: string): string[] =>
  [...body.matchAll(/<li class="car-park".*?<\/li>/gs)].map(([item]) =>
    item.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' '),
  )

test('the page shows local times, escapes names, and leaves out entries that are not car parks', async t => {
  const options = {
    observation: observation(entry('HARBST', 332), entry('QUAY', 5, false), entry('TEST', 100)),
  }
  const { app } = await build(t, CONTENT, { ...options, now, synthetic: true })
  const { statusCode, headers, body } = await app.inject('/parking')
  assert.equal(statusCode, 200)
  assert.match(String(headers['content-type']), /^text\/html/)
  assert.equal(headers['synthetic-data'], 'true')
  assert.match(body, /Thursday 4 July at 13:00/)
  assert.doesNotMatch(body, /<b>/)
  const items = itemsOf(body)
  assert.equal(items.length, 2)
  assert.match(
    items[0] ?? '',
    /^ Harbour &lt;b>Street&lt;\/b> Short stay 332 free of 606 In an hour: not known/,
  )
  assert.match(items[0] ?? '', /Pay by phone \(code 05921\) or paycard .*Directions/)
  assert.match(items[1] ?? '', /^ Quay Long stay closed/)
  assert.doesNotMatch(items.join(), /TEST/)
  assert.match(body, /We have no details of TEST, so its count is not shown\./)
  assert.match(String(headers['content-security-policy']), /default-src 'none'.*script-src 'self'/)
  assert.doesNotMatch(body, / style=/)
  assert.match((await app.inject('/')).body, /href="\/parking"/)
})

test('the page does not show a count that cannot be trusted, and says why', async t => {
  const options = { observation: observation(entry('HARBST', 9000), entry('QUAY', 5)) }
  const { app } = await build(t, CONTENT, { ...options, now })
  const items = itemsOf((await app.inject('/parking')).body)
  assert.match(items[0] ?? '', /Quay Long stay 5 free/)
  assert.match(items[1] ?? '', /not known The counter gives a number that cannot be right\./)
  assert.doesNotMatch(items[1] ?? '', /9000/)
  const late = await build(t, CONTENT, { ...options, now: () => now() + 20 * 60_000 })
  for (const path of ['/parking', '/parking/QUAY', '/']) {
    const { body } = await late.app.inject(path)
    assert.doesNotMatch(body, /<strong>5<\/strong>/, path)
    if (path !== '/') assert.match(body, /There is no new count since 13:00\./, path)
  }
})

test('a car park that is nearly full says so in words', async t => {
  // Harbour Street has 606 spaces.
  for (const [spaces, words] of [
    [61, /61 free of 606 In an hour/],
    [60, /60 free of 606 Nearly full/],
    [18, /18 free of 606 Almost full/],
    [0, /0 free of 606 Full/],
  ] as const) {
    const { app } = await build(t, CONTENT, { observation: observation(entry('HARBST', spaces)), now })
    assert.match(itemsOf((await app.inject('/parking')).body)[0] ?? '', words)
  }
})

test('the page says when there is no reading or car parks are out of service', async t => {
  const none = await build(t, CONTENT, { now })
  assert.match((await none.app.inject('/parking')).body, /We have received no counts yet/)
  assert.match((await none.app.inject('/')).body, /See the free spaces in each car park/)
  const environment = { UNAVAILABLE_DATASETS: 'carparks' }
  const out = await build(t, CONTENT, { observation: observation(entry('HARBST', 332)), now, environment })
  const { body } = await out.app.inject('/parking')
  assert.match(body, /We have received no counts yet.*taken out of service by the operator/)
  const one = await openPage(out.app, '/parking/HARBST')
  assert.equal(one.statusCode, 503)
  assert.match(one.body, /taken out of service by the operator/)
})

test('a car park that the feed no longer lists stays, without a number, as long as its code is published', async t => {
  const first = observation(entry('HARBST', 332), entry('QUAY', 5), entry('TEST', 100))
  const { app, store, observe, snapshots } = await build(t, CONTENT, { observation: first, now })
  await observe({ timestamp: '2024-07-04T12:00:30.000Z', entries: [entry('HARBST', 333)] })
  const items = itemsOf((await app.inject('/parking')).body)
  assert.match(items[0] ?? '', /Harbour/)
  assert.match(items[1] ?? '', /^ Quay Long stay no count This car park has not been counted since 13:00\./)
  assert.equal(items.length, 2)
  await observe({
    timestamp: '2024-07-04T12:00:40.000Z',
    entries: [entry('HARBST', 333), { ...entry('TEST', 0), open: false }],
  })
  assert.equal(
    itemsOf((await app.inject('/parking')).body).length,
    2,
    'a test entry is no car park, open or closed',
  )
  assert.equal((await app.inject('/parking/TEST')).statusCode, 404)
  await publish(store, 'carparks', CONTENT.carparks.slice(0, 2))
  await until(() => snapshots.get('carparks')?.release.number === 2, 'the second release')
  await until(async () => !(await app.inject('/parking')).body.includes('Quay'), 'a page without it')
})

test('a published code that the feed has never listed is on the page; without a release those of last week are', async t => {
  const options = { observation: observation(entry('HARBST', 332)), now }
  const published = await build(t, CONTENT, options)
  assert.match(
    itemsOf((await published.app.inject('/parking')).body)[1] ?? '',
    /^ Quay Long stay no count This car park has not been counted yet\./,
  )
  const { app, observe } = await build(t, {}, options)
  await observe({ timestamp: '2024-07-04T12:00:30.000Z', entries: [entry('QUAY', 5)] })
  assert.match(itemsOf((await app.inject('/parking')).body)[1] ?? '', /^ Harbour &lt;b>St&lt;\/b> no count/)
  assert.match((await app.inject('/parking/QUAY')).body, /<h1>QUAY<[\s\S]*<strong>5<\/strong>/)
})

test('the trend compares with half an hour ago', async t => {
  const counted = (minutesBefore: number, spaces: number): Observation => ({
    timestamp: new Date(Date.parse(TIME) - minutesBefore * 60_000).toISOString(),
    entries: [entry('QUAY', spaces)],
  })
  const { app, observe } = await build(t, CONTENT, { observation: counted(50, 1), now })
  for (const [minutesBefore, spaces] of [
    [31, 6],
    [21, 9],
    [10, 19],
    [0, 14],
  ] as const)
    await observe(counted(minutesBefore, spaces))
  const items = itemsOf((await app.inject('/parking')).body)
  assert.match(items[0] ?? '', /^ Quay .*Emptying: more spaces than half an hour ago/)
})

test('the list is sorted by name, or by distance from a position or a parish', async t => {
  const options = { observation: observation(entry('HARBST', 332), entry('QUAY', 5)), now }
  const { app } = await build(t, CONTENT, options)
  const names = async (query: string) =>
    itemsOf((await app.inject(`/parking${query}`)).body).map(item => /Harbour|Quay/.exec(item)?.[0])
  assert.deepEqual(await names(''), ['Harbour', 'Quay'])
  assert.deepEqual(await names('?near=49.19,-2.051'), ['Quay', 'Harbour'])
  assert.deepEqual(await names('?parish=St.+Helier'), ['Harbour', 'Quay'])
  assert.deepEqual(await names('?parish='), ['Harbour', 'Quay'])
  assert.doesNotMatch((await app.inject('/parking?parish=')).body, /id="fault"/)
  const { body } = await app.inject('/parking?near=49.19,-2.051')
  assert.match(itemsOf(body)[0] ?? '', /70 m away/)
  assert.match(body, /Distances are in a straight line from you\.</)
  const inParish = await app.inject('/parking?parish=St.+Helier')
  assert.match(inParish.body, /Distances are in a straight line from the middle of St\. Helier\./)
  for (const [query, words] of [
    ['near=%3Cb%3E', 'The position must be latitude,longitude in degrees'],
    ['parish=%3Cb%3EAtlantis', 'No parish is called “&lt;b>Atlantis”'],
  ]) {
    const { statusCode, body } = await app.inject(`/parking?${query}`)
    assert.equal(statusCode, 200)
    assert.ok(body.includes(String(words)), query)
    assert.equal(itemsOf(body).length, 2, 'the list is there all the same')
    assert.doesNotMatch(body, /<b>/)
  }
})

test('a car park without a position comes last by distance, with a search for its name, and is counted', async t => {
  const [harbour, , quay] = CONTENT.carparks
  const carparks = [{ ...harbour, latitude: null, longitude: null }, quay]
  const options = { observation: observation(entry('HARBST', 332), entry('QUAY', 5)), now }
  const { app } = await build(t, { ...CONTENT, carparks }, options)
  const { body } = await app.inject('/parking?near=49.19,-2.051')
  assert.match(body, /from you\. The position of 1 car park is not known: it comes last\.</)
  const items = itemsOf(body)
  assert.match(items[0] ?? '', /Quay .*70 m away.*Directions/)
  assert.match(items[1] ?? '', /Harbour .*Search by name/)
  assert.match(body, /openstreetmap\.org\/search\?query=Harbour%20%3Cb%3EStreet%3C%2Fb%3E%2C%20Jersey"/)
  assert.doesNotMatch((await app.inject('/parking?near=')).body, /straight line|id="fault"/)
})

test('Last-Modified is when the counts on the page changed, and no two pages share one', async t => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse(TIME) })
  const { app, observe } = await build(t, CONTENT, { observation: observation(entry('HARBST', 332)) })
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
