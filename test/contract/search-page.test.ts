import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFIBRILLATORS, ISLAND, OBSERVATION, RECALLS, RECYCLING, TOILETS } from '../support/island.ts'
import { hrefOf, openPage, textOf } from '../support/pages.ts'
import { build } from '../support/service.ts'

const EVIL = `"><img src=x onerror="window.ran=1"><script>window.ran=1</script>`

const address = (question: string, more = '') => `/search?q=${encodeURIComponent(question)}${more}`

/** The results under the heading of a kind: their links and names. */
function resultsOf(body: string, kind: string) {
  const [, section = ''] = body.split(`<section aria-labelledby="${kind}">`)
  const [own = ''] = section.split('</section>')
  return [...own.matchAll(/<div class="place-row-text"><a href="(.*?)">(.*?)<\/a>/g)].map(
    ([, href = '', name = '']) => [hrefOf(href), textOf(name)],
  )
}

test('one search finds each kind of record, and links its page', async t => {
  const observation = { ...OBSERVATION, timestamp: new Date().toISOString() }
  const { app } = await build(t, ISLAND, { observation })
  const cases = [
    ['pier', 'toilets', `/places/toilets/${TOILETS[0]?.id}`, 'Pier'],
    ['HALL parish', 'recycling', `/places/recycling/${RECYCLING[0]?.id}`, 'Parish Hall'],
    ['st helier fire', 'defibrillators', `/places/defibrillators/${DEFIBRILLATORS[0]?.id}`, 'Fire Station'],
    ['harbour', 'carparks', '/parking/HARBST', 'Harbour Street'],
    ['toy 2', 'product-recalls', `/recalls/${RECALLS[1]?.id}`, 'Toy 2'],
    ['citroen', 'vehicles', '/vehicles?make=Citro%C3%ABn&match=exact', 'Citroën'],
    ['defibrillators', 'datasets', '/data/defibrillators', 'Defibrillators'],
    ['rate limit', 'docs', undefined, undefined],
  ] as const
  for (const [question, kind, href, name] of cases) {
    const { statusCode, body } = await openPage(app, address(question))
    assert.equal(statusCode, 200, question)
    const [first = []] = resultsOf(body, kind)
    assert.equal(first.length, 2, question)
    if (href === undefined) assert.match(String(first[0]), /^\/docs\//)
    else assert.deepEqual(first, [href, name], question)
    assert.equal((await openPage(app, String(first[0]))).statusCode, 200, question)
  }
  const { body } = await openPage(app, address('harbour'))
  assert.match(textOf(body), /Harbour Street \d+ spaces free at \d\d:\d\d · Car park/)
  assert.match(body, /<meta name="robots" content="noindex"\/>/)
  assert.doesNotMatch((await openPage(app, '/map')).body, /noindex/)
})

test('the best match comes first: the whole name, its start, the start of a word, the rest', async t => {
  const names = ['Old Pierhead', 'North Pier', 'Piermont', 'Pier', 'Happiers', 'St Pier, Élan', 'Inland']
  const toilets = names.map((name, index) => ({
    ...TOILETS[0],
    id: `${TOILETS[0]?.id.slice(0, -1)}${index}`,
    name,
  }))
  const { app } = await build(t, { ...ISLAND, toilets })
  const found = async (question: string, more = '') =>
    resultsOf((await openPage(app, address(question, more))).body, 'toilets').map(([, name]) => name)
  const best = ['Pier', 'Piermont', 'North Pier', 'Old Pierhead', 'St Pier, Élan', 'Happiers']
  assert.deepEqual(await found('PIER'), best.slice(0, 5))
  assert.deepEqual(await found('elan st. pier'), ['St Pier, Élan'])

  const { body } = await openPage(app, address('pier'))
  const [all = '', said] = /<a href="([^"]*)">(All 6: Toilets)<\/a>/.exec(body)?.slice(1) ?? []
  assert.equal(said, 'All 6: Toilets')
  const whole = await openPage(app, hrefOf(all))
  assert.deepEqual(
    resultsOf(whole.body, 'toilets').map(([, name]) => name),
    best,
  )
  assert.match(whole.body, /<a href="\/search\?q=pier">Results of all kinds<\/a>/)
  assert.deepEqual(await found('public toilet'), names.toSorted().slice(0, 5), 'the kind counts, too')
})

test('at most five of a kind are shown, with a link to all', async t => {
  const recalls = Array.from({ length: 7 }, (_, index) => ({
    ...RECALLS[0],
    id: index + 1,
    title: `Lamp ${index}`,
  }))
  const { app } = await build(t, { ...ISLAND, 'product-recalls': recalls })
  const { body } = await openPage(app, address('lamp'))
  assert.equal(resultsOf(body, 'product-recalls').length, 5)
  assert.match(body, /<a href="\/recalls\?q=lamp">All 7: Product recalls<\/a>/)
  assert.match(textOf(body), /Product recalls 7/)
})

test('a search for nothing gives a hint', async t => {
  const { app } = await build(t, ISLAND)
  for (const path of ['/search', '/search?q=', '/search?q=%20%09', '/search?kind=toilets']) {
    const { statusCode, body } = await openPage(app, path)
    assert.equal(statusCode, 200, path)
    assert.match(textOf(body), /Type the name of a place/)
    assert.doesNotMatch(body, /aria-labelledby/)
  }
  for (const question of ['zzzzqqq', '... !', '%', '日本']) {
    const { statusCode, body } = await openPage(app, address(question))
    assert.equal(statusCode, 200, question)
    assert.doesNotMatch(body, /aria-labelledby="(toilets|carparks|datasets)"/, question)
  }
  assert.match(textOf((await openPage(app, address('zzzzqqq'))).body), /Nothing found for “zzzzqqq”\./)
})

test('a long question is cut, and markup is text', async t => {
  const { app } = await build(t, ISLAND)
  for (const question of ['a'.repeat(10_000), '😀 '.repeat(3000), EVIL.repeat(100)]) {
    const { statusCode, body } = await openPage(app, address(question))
    assert.equal(statusCode, 200)
    assert.match(textOf(body), /We searched for its first 100 characters\./)
    assert.ok(body.length < 20_000, String(body.length))
    assert.doesNotMatch(body, /<img|<script>|\ufffd/)
  }
  const { statusCode, body } = await openPage(app, address(EVIL))
  assert.equal(statusCode, 200)
  assert.ok(textOf(body).includes(`for “${EVIL}”`))
  assert.doesNotMatch(body, /<img|<script>| style="| on\w+="/)
})

test('kinds that are not available are named, and the others are shown', async t => {
  const environment = { UNAVAILABLE_DATASETS: 'toilets, product-recalls, vehicles' }
  const { app } = await build(t, ISLAND, { environment })
  const { statusCode, body } = await openPage(app, address('st'))
  assert.equal(statusCode, 200)
  assert.match(textOf(body), /Not available now: Toilets, Product recalls, Makes of vehicles\./)
  assert.notDeepEqual(resultsOf(body, 'defibrillators'), [])
  const none = await build(t)
  const nothing = await openPage(none.app, address('harbour'))
  assert.equal(nothing.statusCode, 200)
  assert.match(
    textOf(nothing.body),
    /Not available now: Toilets, Defibrillators, Recycling, Car parks, Product/,
  )
})
