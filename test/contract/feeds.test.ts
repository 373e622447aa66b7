import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAtomRead, checkJsonFeedRead } from '../support/feeds.ts'
import { RECALLS, TOILETS } from '../support/island.ts'
import { build, publish } from '../support/service.ts'
import { until } from '../support/until.ts'

const METADATA = { title: 'Island data', publisher: 'Trading Standards & Co' }

test('product recalls as a feed', async t => {
  const recalls = Array.from({ length: 103 }, (_, n) => ({
    ...RECALLS[0],
    id: n + 1,
    title: `Toy <${n + 1}> ]]> & more`,
    recallDate: new Date(Date.UTC(2024, 0, 1 + n)).toISOString(),
    websiteUrl: n % 2 ? '' : `https://example.org/${n}?a=1&b=2`,
    furtherInformation: '<p onclick="x()">Return <b>it</b>.</p><script>alert(1)</script>',
  }))
  const { app, store, snapshots } = await build(t, { 'product-recalls': recalls }, { metadata: METADATA })
  const atom = async () => checkAtomRead((await app.inject('/v1/product-recalls/feed.atom')).body)
  const json = async () => checkJsonFeedRead((await app.inject('/v1/product-recalls/feed.json')).body)

  await t.test('has the newest hundred, newest first, with all that readers show', async () => {
    const feed = await atom()
    assert.deepEqual([feed.title, feed.author], ['Product recalls', METADATA.publisher])
    assert.equal(feed.self, 'http://data.example/v1/product-recalls/feed.atom')
    assert.equal(feed.updated, snapshots.get('product-recalls')?.release.currentSince)
    assert.equal(feed.entries.length, 100)
    const [first, second] = feed.entries
    const last = recalls.at(-1)
    assert.deepEqual([first?.title, first?.summary], ['Toy <103> ]]> & more', 'Choking'])
    assert.deepEqual([first?.published, first?.updated], [last?.recallDate, last?.recallDate])
    assert.deepEqual(
      [first?.link, second?.link],
      ['https://example.org/102?a=1&b=2', 'http://data.example/v1/product-recalls/102'],
    )
    assert.match(first?.content ?? '', /^<p><strong>Choking<\/strong><\/p>.*<p>Return <b>it<\/b>\.<\/p>/)
    assert.match(first?.content ?? '', /<img src="https:\/\/example\.org\/toy\.jpg" alt="">.*Acme &amp; Sons/)
    assert.doesNotMatch(first?.content ?? '', /script|onclick/)
    const items = (await json()).items
    assert.deepEqual(
      items.map(({ id }) => id),
      feed.entries.map(({ id }) => id),
    )
    assert.deepEqual([items[0]?.tags, items[0]?.image], [['Acme & Sons'], 'https://example.org/toy.jpg'])
  })

  await t.test('the suffix or the Accept header selects its format', async () => {
    const type = async (url: string, accept?: string) => {
      const response = await app.inject({
        url: `/v1/product-recalls/feed${url}`,
        headers: { ...(accept && { accept }) },
      })
      return String(response.headers['content-type']).split(';')[0]
    }
    assert.equal(await type('.atom'), 'application/atom+xml')
    assert.equal(await type('.json'), 'application/feed+json')
    assert.equal(await type('', 'application/atom+xml'), 'application/atom+xml')
    assert.equal(await type('?format=atom'), 'application/atom+xml')
    assert.equal(await type(''), 'application/feed+json')
    const refused = await app.inject({ url: '/v1/product-recalls/feed', headers: { accept: 'text/csv' } })
    assert.match(refused.json().detail, /json \(application\/feed\+json\) or atom \(application\/atom\+xml\)/)
  })

  await t.test('a reader that has it gets 304', async () => {
    const { headers } = await app.inject('/v1/product-recalls/feed.atom')
    for (const conditions of [
      { 'if-none-match': String(headers.etag) },
      { 'if-modified-since': String(headers['last-modified']) },
    ]) {
      const again = await app.inject({ url: '/v1/product-recalls/feed.atom', headers: conditions })
      assert.equal(again.statusCode, 304)
    }
  })

  await t.test('an entry whose content changed in a release is updated then, and keeps its id', async () => {
    const before = (await atom()).entries
    const changed = recalls.map(recall =>
      recall.id === 103 ? { ...recall, problem: 'Choking and fire' } : recall,
    )
    const { release } = await publish(store, 'product-recalls', changed)
    await until(() => snapshots.get('product-recalls')?.release.number === 2)
    const after = (await atom()).entries
    assert.deepEqual(
      after.map(({ id }) => id),
      before.map(({ id }) => id),
    )
    const kept = (await store.releases.list('product-recalls')).find(
      ({ number }) => number === release?.number,
    )
    assert.deepEqual([after[0]?.summary, after[0]?.updated], ['Choking and fire', kept?.publishedAt])
    assert.deepEqual([after[0]?.published, after.slice(1)], [before[0]?.published, before.slice(1)])
    assert.equal((await json()).items[0]?.date_modified, kept?.publishedAt)
  })

  await t.test('the front page and the list link it', async () => {
    const page = (await app.inject('/')).body
    assert.ok(
      page.includes(
        '<link rel="alternate" type="application/atom+xml" title="Product recalls" href="/v1/product-recalls/feed.atom"/>',
      ),
    )
    assert.ok(page.includes('href="/v1/releases/feed.json"'))
    const { headers } = await app.inject('/v1/product-recalls')
    assert.match(
      String(headers.link),
      /rel="last", <\/v1\/product-recalls\/feed\.atom>; rel="alternate"; type="application\/atom\+xml"/,
    )
  })

  await t.test('has a page as its home, and so has that of the releases', async () => {
    for (const [feed, home] of [
      ['/v1/product-recalls/feed', '/recalls'],
      ['/v1/releases/feed', '/data'],
    ]) {
      const { home_page_url } = (await app.inject(`${feed}.json`)).json()
      assert.equal(home_page_url, `http://data.example${home}`)
      const page = await app.inject(`${home}`)
      assert.deepEqual([page.statusCode, page.headers['content-type']], [200, 'text/html; charset=utf-8'])
      const { body } = await app.inject(`${feed}.atom`)
      assert.ok(body.includes(`<link rel="alternate" href="${home_page_url}"/>`), body.slice(0, 1000))
    }
  })

  await t.test('of a dataset that is not published it is 503', async () => {
    const { app: empty } = await build(t)
    assert.equal((await empty.inject('/v1/product-recalls/feed.atom')).json().code, 'DATASET_UNAVAILABLE')
  })
})

test('releases of all datasets as a feed', async t => {
  const { app, store, snapshots } = await build(t, { toilets: TOILETS, 'product-recalls': RECALLS })
  const atom = async () => checkAtomRead((await app.inject('/v1/releases/feed.atom')).body)
  await publish(store, 'toilets', TOILETS.slice(1))
  await until(() => snapshots.get('toilets')?.release.number === 2)

  await t.test('has an entry for each, with what it changed and where that is', async () => {
    const { entries } = await atom()
    assert.deepEqual(
      entries.map(({ title, summary, link }) => [title, summary, link]),
      [
        [
          'Public toilets: release 2',
          '1 record: 0 added, 0 changed, 1 removed.',
          'http://data.example/v1/toilets/changes?since=1',
        ],
        [
          'Product recalls: release 1',
          '3 records: 3 added, 0 changed, 0 removed.',
          'http://data.example/v1/datasets/product-recalls/releases',
        ],
        [
          'Public toilets: release 1',
          '2 records: 2 added, 0 changed, 0 removed.',
          'http://data.example/v1/datasets/toilets/releases',
        ],
      ],
    )
    checkJsonFeedRead((await app.inject('/v1/releases/feed.json')).body)
  })

  await t.test('says of a release that was rolled back which is served instead', async () => {
    await store.releases.makeCurrent('toilets', 1)
    await until(() => snapshots.get('toilets')?.release.number === 1)
    const { entries, updated } = await atom()
    assert.match(entries[0]?.summary ?? '', /Withdrawn: release 1 is served instead\.$/)
    assert.equal(entries[0]?.updated, snapshots.get('toilets')?.release.currentSince)
    assert.equal(updated, entries[0]?.updated)
  })

  await t.test('is empty where nothing is published, and valid', async () => {
    const { app: empty } = await build(t)
    assert.deepEqual(checkAtomRead((await empty.inject('/v1/releases/feed.atom')).body).entries, [])
  })
})

test('recalls can be searched by words, also of the hazard, and by what readers see of their HTML', async t => {
  const [first, second, third] = RECALLS.map(recall => ({ ...recall, title: 'Toy', problem: 'Choking' }))
  const recalls = [
    { ...first, title: 'Chocolate Crisps', brand: 'Café Noir', problem: 'Allergy risk to peanuts' },
    {
      ...second,
      furtherInformation: '<p>Small <b>par</b>ts<br>R &amp; D, <a href="https://x.je/lead">ask</a></p>',
    },
    { ...third, furtherInformation: '<table><tr><td>Battery</td><td>fire</td></tr></table>' },
  ]
  const { app } = await build(t, { 'product-recalls': recalls })
  const found = async (query: string) =>
    (await app.inject(`/v1/product-recalls?${query}&fields=id`))
      .json()
      .results.map(({ id }: { id: number }) => id)
  for (const [query, ids] of [
    ['q=peanut', [3]],
    ['q=ALLERGY+cafe', [3]],
    ['q=choking', [2, 1]],
    ['q=toy+choking&since=2024-06-07', []],
    ['q=toy+choking&brand=acme', [2, 1]],
    ['q=parts', [2]],
    ['q=r%26d', [2]],
    ['q=battery+fire', [1]],
    ['q=batteryfire', []],
    ['q=partsr', []],
    ['q=table', []],
    ['q=href', []],
    ['q=lead', []],
    ['q=amp', []],
  ] as const)
    assert.deepEqual(await found(query), ids, query)
  const { total } = (await app.inject('/v1/product-recalls/stats?q=choking')).json()
  assert.equal(total, 2)
  assert.equal((await app.inject('/v1/product-recalls?q=%26')).json().errors[0].parameter, 'q')
})

test('recalls can be listed by brand and from a date on', async t => {
  const recalls = RECALLS.map((recall, n) => ({
    ...recall,
    brand: ['Café Noir', 'ACME', ''][n],
    recallDate: `2024-0${n + 1}-10T23:00:00.000Z`,
  }))
  const { app } = await build(t, { 'product-recalls': recalls })
  const brands = async (query: string) =>
    (await app.inject(`/v1/product-recalls?${query}`))
      .json()
      .results.map(({ brand }: { brand: string }) => brand)
  assert.deepEqual(await brands('brand=cafe'), ['Café Noir'])
  assert.deepEqual(await brands('since=2024-02-10'), ['ACME', ''])
  assert.deepEqual(await brands('since=2024-02-11&brand=acme'), [])
  for (const since of ['2024-02-30', 'yesterday', '5'])
    assert.equal((await app.inject(`/v1/product-recalls?since=${since}`)).json().errors[0].parameter, 'since')
})
