import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VEHICLES } from '../support/island.ts'
import { hrefOf, textOf } from '../support/pages.ts'
import { build, type TestApp } from '../support/service.ts'

/** Makes and models that contain each other, and years over several decades. */
const REGISTER = `${VEHICLES}Fordson,DEXTA,Blue,2300,,,Heavy Oil,01/02/1962,05/06/1962
Ford,FIESTA ST,Dark Blue,1600,,120,Petrol,01/02/2019,05/06/2019
Ford,FIESTA,Red,1000,,99,Petrol,01/02/1999,05/06/2001
${Array.from({ length: 12 }, (_, index) => `Austin,SEVEN,Black,747,,,Petrol,01/02/${1922 + index},05/06/1950`).join('\n')}
`

const page = async (app: TestApp, url: string) => {
  const { statusCode: status, headers, body } = await app.inject(url)
  return { status, headers, body }
}

const totalOf = (body: string) => /<h2 id="total">([\d,]+) vehicles?</.exec(body)?.[1]

/** The bars that lead somewhere, with their counts. */
const barsOf = (body: string) =>
  [
    ...body.matchAll(
      /<a class="bar-link" href="([^"]+)"( aria-current="true")?>.*?<span class="bar-count">([\d,]+)</g,
    ),
  ].map(([, href = '', chosen, count]) => ({
    href: hrefOf(href),
    isChosen: chosen !== undefined,
    count,
  }))

test('the page of vehicles shows what the API answers to the same parameters', async t => {
  const { app } = await build(t, { vehicles: REGISTER })
  const QUERIES = [
    '',
    '?make=ford&color=blue',
    '?q=fiesta&sort=-firstRegisteredAt',
    '?fuelType=HEAVY_OIL&dateType=regInJersey&startDate=2000-01-01',
    '?minCylinderCapacity=1500&maxCylinderCapacity=1600&sort=make,model',
    '?make=FORD&match=exact',
    '?limit=4&page=2',
  ]
  for (const query of QUERIES)
    await t.test(query || 'nothing', async () => {
      const { status, body } = await page(app, `/vehicles${query}`)
      const { pagination, results } = (await app.inject(`/v1/vehicles${query}`)).json()
      assert.equal(status, 200)
      assert.equal(totalOf(body), String(pagination.totalItems))
      const rows = [...body.matchAll(/<th scope="row">(.*?)<\/th>/g)].map(([, cell = '']) => textOf(cell))
      assert.ok(rows.length > 0)
      assert.deepEqual(
        rows,
        results.map(({ make, model }: { make: string; model: string }) => `${make} ${model}`.trim()),
      )
      const [, address = ''] = /<code>([^<]*)<\/code>/.exec(body) ?? []
      const { pathname, search } = new URL(textOf(address))
      assert.deepEqual((await app.inject(pathname + search)).json(), { pagination, results })
    })
})

test('each bar leads to as many vehicles as it says, and a chosen one leads back', async t => {
  const { app } = await build(t, { vehicles: REGISTER })
  const QUESTIONS = [
    '',
    '?make=Ford',
    '?make=ford&match=exact&color=Blue',
    '?make=austin',
    '?q=st',
    '?color=bl',
  ]
  for (const query of QUESTIONS) {
    const { body } = await page(app, `/vehicles${query}`)
    const bars = barsOf(body)
    assert.ok(bars.length >= 4, query)
    for (const { href, isChosen, count } of bars) {
      const narrowed = await page(app, href)
      // One parameter turns parts of texts into whole ones, for all of them: beside a part, "Blue" is a part as well.
      const isPart = query !== '' && !href.includes('match=exact') && /[?&](make|model|color)=/.test(query)
      if (isChosen) {
        assert.equal(totalOf(body), count, `${query}, which has chosen what leads to ${href}`)
        assert.ok(Number(totalOf(narrowed.body)) >= Number(count), href)
      } else if (isPart) assert.ok(Number(totalOf(narrowed.body)) >= Number(count), href)
      else assert.equal(totalOf(narrowed.body), count, `${query} to ${href}`)
    }
  }
})

test('years are gone through from decades, and vehicles without a date are counted', async t => {
  const { app } = await build(t, { vehicles: REGISTER })
  const all = textOf((await page(app, '/vehicles')).body)
  assert.match(all, /1920 to 1929 8 1960 to 1969|1960 to 1969 1 1930 to 1939 4 1920 to 1929 8 no date 1/)
  const decade = textOf((await page(app, '/vehicles?startDate=1920-01-01&endDate=1929-12-31')).body)
  assert.match(decade, /Year first registered 1929 1 1928 1 1927 1/)
})

test('what the API refuses stands beside its field with the value as it was written', async t => {
  const { app } = await build(t, { vehicles: REGISTER })
  const url = `/vehicles?startDate=gestern&fuelType=diesel&minWeight=x&page=0&make=${'m'.repeat(101)}`
  const { status, headers, body } = await page(app, url)
  assert.equal(status, 400)
  assert.equal(headers['cache-control'], 'no-store')
  const { errors } = (await app.inject(url.replace('/vehicles', '/v1/vehicles'))).json()
  assert.equal(errors.length, 5)
  const text = textOf(body)
  for (const { parameter, detail } of errors) {
    const said = detail.charAt(0).toUpperCase() + detail.slice(1)
    assert.ok(text.includes(said), parameter)
    if (parameter !== 'page')
      assert.match(
        body,
        new RegExp(
          `id="field-${parameter}" name="${parameter}" aria-invalid="true" aria-describedby="field-${parameter}-error"`,
        ),
      )
  }
  assert.match(text, /Did you mean HEAVY_OIL\?/)
  assert.match(text, /marked below.*Make or model/, 'before the form')
  assert.match(body, /value="gestern"/)
})

test('a page that does not exist, a search without a match, and unknown parameters lead on', async t => {
  const { app } = await build(t, { vehicles: REGISTER })
  const beyond = await page(app, '/vehicles?make=ford&page=99')
  assert.match(textOf(beyond.body), /There is no page 99\. Go to the first page/)
  assert.match(beyond.body, /href="\/vehicles\?make=ford"/)
  assert.doesNotMatch(textOf(beyond.body), /Page 99 of/)
  const none = await page(app, '/vehicles?make=for&match=exact')
  assert.match(textOf(none.body), /No vehicle matches all of these filters\. Search for parts of words/)
  assert.doesNotMatch(textOf(none.body), /Narrow your search/)
  const unknown = await page(app, '/vehicles?colour=blue')
  assert.match(textOf(unknown.body), /This page ignores “colour” in its address/)
})

test('a page is one request of the limit; beyond it, the page says when to try again', async t => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2024-07-01T11:30:20Z') })
  const { app } = await build(t, { vehicles: REGISTER }, { environment: { VEHICLES_RATE_LIMIT: '2' } })
  for (const make of ['ford', 'austin']) assert.equal((await page(app, `/vehicles?make=${make}`)).status, 200)
  t.mock.timers.tick(60_000)
  const { status, headers, body } = await page(app, '/vehicles?make=fordson')
  assert.equal(status, 429)
  assert.equal(headers['retry-after'], '3540')
  // 12:30:20 UTC is 13:30:20 by the island's clock in summer.
  assert.match(textOf(body), /You can try again today at 13:31\./)
  assert.match(body, /value="fordson"/, 'the search is kept')
  assert.ok(barsOf(body).length > 0, 'counts are not limited')
})

test('nothing in names runs, and the page works without scripts', async t => {
  const evil = `"><script>alert(1)</script>`
  const { app } = await build(t, {
    vehicles: `MAKE,MODEL,COLOUR\n"${evil.replaceAll('"', '""')}","</script><img src=x onerror=alert(1)>",Blue\n`,
  })
  for (const query of ['', `?make=${encodeURIComponent(evil)}`, `?${encodeURIComponent(evil)}=1`]) {
    const { body } = await page(app, `/vehicles${query}`)
    assert.doesNotMatch(body, /<script>|<img/, query)
    assert.ok(textOf(body).includes(evil), query)
  }
  assert.match((await page(app, '/vehicles')).body, /<form [^>]*action="\/vehicles"/)
  assert.doesNotMatch((await page(app, '/vehicles')).body, / style="/)
})

test('while the register is not available the page says so, and keeps the search', async t => {
  const { app } = await build(
    t,
    { vehicles: REGISTER },
    { environment: { UNAVAILABLE_DATASETS: 'vehicles' } },
  )
  const { status, body } = await page(app, '/vehicles?make=ford')
  assert.equal(status, 503)
  assert.match(body, /value="ford"/)
  assert.match(body, /<a href="\/vehicles\?make=ford">Try again<\/a>/)
})
