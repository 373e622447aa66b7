import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SaxesParser } from 'saxes'
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

const numberIn = (text = '') => Number(textOf(text).replaceAll(',', ''))

/** The numbers of the chart: the name of each column, where it leads, and a count for each question. */
const columnsOf = (body: string) => {
  const [table = ''] = /<details class="numbers[^"]*">.*?<\/table>/s.exec(body) ?? []
  return [...table.matchAll(/<th scope="row">(.*?)<\/th>(.*?)<\/tr>/gs)].map(([, name = '', cells = '']) => ({
    name: textOf(name),
    href: hrefOf(/href="([^"]+)"/.exec(name)?.[1] ?? ''),
    counts: [...cells.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) => numberIn(cell)),
  }))
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

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
      const [list = ''] = /<table class="vehicles".*?<\/table>/s.exec(body) ?? []
      const rows = [...list.matchAll(/<th scope="row">(.*?)<\/th>/g)].map(([, cell = '']) => textOf(cell))
      assert.ok(rows.length > 0)
      assert.deepEqual(
        rows,
        results.map(({ make, model }: { make: string; model: string }) => `${make} ${model}`.trim()),
      )
      const [, address = ''] = /<code>(http[^<]*)<\/code>/.exec(body) ?? []
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
    assert.ok(bars.length >= 3, query)
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

test('the counts come before the rows and the downloads, and add up', async t => {
  const { app } = await build(t, { vehicles: REGISTER })
  for (const query of ['', '?make=Ford', '?color=Black&match=exact', '?q=st']) {
    const { body } = await page(app, `/vehicles${query}`)
    const PLACES = ['<h2 id="total">', 'class="year-chart"', 'class="shares"', '<table class="vehicles"']
    const places = [...PLACES, 'class="api-address"'].map(each => body.indexOf(each))
    assert.ok(!places.includes(-1), query)
    assert.deepEqual(
      places,
      places.toSorted((one, other) => one - other),
    )
    const total = numberIn(totalOf(body))
    assert.equal(sum(columnsOf(body).map(({ counts: [count = 0] }) => count)), total, query)
    const [shares = ''] = /<div class="shares">.*?<\/div>/s.exec(body) ?? []
    for (const [, share = ''] of shares.matchAll(/<section>(.*?)<\/section>/gs)) {
      const of = numberIn(/Share of ([\d,]+) vehicle/.exec(share)?.[1])
      const bars = [...share.matchAll(/"bar-count">([\d,]+)<.*?"bar-share">(?:&lt;)?([\d.]+)%</gs)]
      const rest = /other \w+: ([\d,]+)/.exec(share)?.[1]
      assert.equal(sum([...bars.map(([, count]) => numberIn(count)), numberIn(rest ?? '0')]), of, query)
      for (const [, count, percent] of bars)
        assert.equal(percent, ((100 * numberIn(count)) / of).toFixed(1), query)
    }
  }
})

test('years stand from the oldest to the newest and lead to their months, and these back', async t => {
  const { app } = await build(t, { vehicles: REGISTER })
  const all = columnsOf((await page(app, '/vehicles')).body)
  assert.equal(all.length, 41, 'forty columns, and the vehicles without a date')
  assert.deepEqual(all[0]?.counts, [13])
  assert.equal(all[0]?.name, 'before 1985')
  assert.deepEqual(
    all.slice(-3).map(({ name, counts }) => [name, ...counts]),
    [
      ['2022', 0],
      ['2023', 1],
      ['no date', 1],
    ],
  )
  const early = await page(app, String(all[0]?.href))
  assert.equal(totalOf(early.body), '13')
  assert.equal(columnsOf(early.body)[0]?.name, 'before 1924')
  for (const { href, counts } of [...all, ...columnsOf(early.body)])
    if (href !== '') assert.equal(totalOf((await page(app, href)).body), String(counts[0]), href)
  const year = await page(app, String(all.find(({ name }) => name === '2010')?.href))
  const months = columnsOf(year.body)
  assert.equal(months.length, 12)
  assert.deepEqual([months[1]?.name, months[1]?.counts], ['February', [3]])
  assert.match(year.body, /<a href="\/vehicles#total">All years<\/a>/)
  const month = await page(app, String(months[1]?.href))
  assert.equal(totalOf(month.body), '3')
  const [, back = ''] = /<a href="([^"]+)" tabindex="-1" aria-current="true">/.exec(month.body) ?? []
  assert.equal(hrefOf(back), '/vehicles?startDate=2010-01-01&endDate=2010-12-31#total')
  // A column of a part of a year leads to this part.
  const part = columnsOf((await page(app, '/vehicles?startDate=2010-02-02&endDate=2024-01-01')).body)
  for (const { href, counts } of part)
    if (href !== '') assert.equal(totalOf((await page(app, href)).body), String(counts[0]), href)
})

const HEADERS = "MAKE,MODEL,COLOUR,CYLINDER CAPACITY,WEIGHT,CO2,FUEL TYPE,FIRST REGISTERED,REG'D IN JERSEY"

/** Vehicles of three years and two fuels, more in some months than in others, and some without a date. */
const THREE_YEARS = [
  HEADERS,
  ...Array.from({ length: 400 }, (_, index) => {
    const day = String(1 + (index % 28)).padStart(2, '0')
    const month = String(1 + ((index * index) % 12)).padStart(2, '0')
    const date = index % 50 === 0 ? '' : `${day}/${month}/${2021 + (index % 3)}`
    return `Make,M${index % 7},Blue,,,,${index % 4 === 0 ? 'Petrol' : 'Electric'},${date},05/06/2024`
  }),
  '',
].join('\n')

const ELECTRIC_2022 = 'fuelType=ELECTRIC&startDate=2022-01-01&endDate=2022-12-31'
const ELECTRIC_2023 = 'fuelType=ELECTRIC&startDate=2023-01-01&endDate=2023-12-31'
const COMPARED = `${ELECTRIC_2022}&with=${encodeURIComponent(ELECTRIC_2023)}`

/** The vehicles of a question in each month, counted from their rows. */
async function monthsOf(app: TestApp, query: string): Promise<number[]> {
  const [header = '', ...rows] = (await app.inject(`/v1/vehicles.csv?${query}`)).body.trim().split(/\r?\n/)
  const at = header.split(',').indexOf('firstRegisteredAt')
  const months = rows.map(row => Number(row.split(',')[at]?.slice(5, 7)))
  return Array.from({ length: 12 }, (_, index) => months.filter(month => month === index + 1).length)
}

test('two years are compared month by month, other questions year by year', async t => {
  const { app } = await build(t, { vehicles: THREE_YEARS })
  const { body } = await page(app, `/vehicles?${COMPARED}`)
  const [first, second] = [await monthsOf(app, ELECTRIC_2022), await monthsOf(app, ELECTRIC_2023)]
  assert.ok(sum(first) > 50 && sum(second) > 50 && new Set(first).size > 2)
  const columns = columnsOf(body)
  assert.deepEqual(
    columns.map(({ counts }) => counts),
    first.map((count, index) => [count, second[index]]),
  )
  const said = textOf(body)
  assert.ok(said.includes('Compared with “Fuel: Electric, 2023”. Stop comparing'))
  assert.ok(said.includes(`Fuel: Electric, 2022: ${sum(first)} vehicles`))
  assert.ok(said.includes(`Fuel: Electric, 2023: ${sum(second)} vehicles`))
  assert.match(body, new RegExp(`<a href="/vehicles\\?${ELECTRIC_2022.replaceAll('&', '&amp;')}">Stop comp`))
  // The form, each bar and each column keep the comparison.
  assert.match(body, /<input type="hidden" name="with" value="fuelType=ELECTRIC&amp;startDate=2023-01-01/)
  for (const { href } of [...barsOf(body), ...columns.filter(({ href }) => href !== '')])
    assert.match(href, /&with=fuelType%3DELECTRIC%26startDate%3D2023/)
  for (const [index, href] of [...body.matchAll(/<a href="([^"]+stats[^"]+)" download>CSV/g)].entries()) {
    const csv = (await app.inject(hrefOf(String(href[1])))).body.replaceAll('"', '').split(/\r?\n/)
    const months = new Map(csv.map(line => line.split(',') as [string, string]))
    assert.deepEqual(
      columns.map((_, at) => Number(months.get(`${2022 + index}-${String(at + 1).padStart(2, '0')}`) ?? 0)),
      [first, second][index],
    )
  }
  const years = await page(app, `/vehicles?fuelType=PETROL&with=${encodeURIComponent('fuelType=ELECTRIC')}`)
  const counted = async (fuel: string) => {
    const { results } = (await app.inject(`/v1/vehicles/stats?by=year&fuelType=${fuel}`)).json()
    return new Map(results.map((each: { year: number | null; count: number }) => [each.year, each.count]))
  }
  const [petrol, electric] = [await counted('PETROL'), await counted('ELECTRIC')]
  assert.deepEqual(
    columnsOf(years.body).map(({ name, counts }) => [name, ...counts]),
    [2021, 2022, 2023, null].map(year => [
      String(year ?? 'no date'),
      petrol.get(year) ?? 0,
      electric.get(year) ?? 0,
    ]),
  )
})

test('a search is pinned, and compared once another one is chosen', async t => {
  const { app } = await build(t, { vehicles: THREE_YEARS })
  for (const query of ['', `?${ELECTRIC_2022}&sort=make&limit=5`]) {
    const { body } = await page(app, `/vehicles${query}`)
    const [, link = ''] = /<a href="([^"]+)">Compare with another search</.exec(body) ?? []
    const pinned = await page(app, hrefOf(link))
    assert.match(textOf(pinned.body), /To compare with “[^”]+”, change the search or choose a bar/)
    const other = barsOf(pinned.body).find(({ href }) => href.includes('fuelType=PETROL'))
    const compared = await page(app, String(other?.href))
    const { counts: [mine, theirs] = [] } = columnsOf(compared.body).at(-1) ?? {}
    assert.ok(mine !== undefined && theirs !== undefined, query)
  }
})

test('a comparison that the service does not understand is named and ignored', async t => {
  const { app } = await build(t, { vehicles: THREE_YEARS })
  for (const broken of [
    'colour=blue',
    'startDate=gestern',
    'fuelType=diesel',
    'with=make%3Dford&x=1',
    '"><b>',
  ])
    for (const path of ['/vehicles', '/vehicles/chart.svg']) {
      const { status, body } = await page(app, `${path}?make=make&with=${encodeURIComponent(broken)}`)
      assert.equal(status, 200, broken)
      assert.doesNotMatch(body, /Compared with|class="second"|<b>/, broken)
      assert.ok(!body.includes(`with=${encodeURIComponent(broken)}`), broken)
      if (path === '/vehicles') assert.match(textOf(body), /This page ignores “with” in its address/)
    }
})

/** The texts of XML. Throws unless it is well-formed. */
function textsOfXml(xml: string): string[] {
  const texts: string[] = []
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', error => {
    throw error
  })
  parser.on('text', text => texts.push(text))
  parser.write(xml).close()
  return texts
}

test('the chart is a file that stands alone', async t => {
  const metadata = { title: 'Data', vehicles: { publisher: 'Office of <Cars> & "Vans"', licence: 'OGL' } }
  const { app } = await build(t, { vehicles: THREE_YEARS }, { metadata, synthetic: true })
  const { body: around } = await page(app, `/vehicles?${COMPARED}&sort=make`)
  const [, link = ''] = /<a href="([^"]+)" download>SVG</.exec(around) ?? []
  const { status, headers, body } = await page(app, hrefOf(link))
  assert.deepEqual([status, headers['content-type']], [200, 'image/svg+xml'])
  const texts = textsOfXml(body)
  const columns = columnsOf(around)
  for (const { name, counts } of columns) assert.ok(texts.includes(`${name}: ${counts.join(' / ')}`), name)
  const all = texts.join(' ')
  for (const said of [
    'Vehicles by month first registered',
    'Fuel: Electric, 2022: ',
    'Fuel: Electric, 2023: ',
  ])
    assert.ok(all.includes(said), said)
  assert.match(all, /Synthetic island · Source: .*\d{4}\..*http:\/\/data\.example/)
  assert.doesNotMatch(body, /<a |<script| style="|<!doctype/)
  const HOSTILE = ['<script>alert(1)</script>', `"'><svg onload=x>`, 'a\ufffe', ']]>&amp;', 'x'.repeat(90)]
  for (const text of HOSTILE)
    for (const name of ['q', 'make'])
      for (const query of [
        new URLSearchParams({ [name]: text }),
        new URLSearchParams({ with: `${name}=${encodeURIComponent(text)}` }),
      ]) {
        const file = await page(app, `/vehicles/chart.svg?${query}`)
        assert.deepEqual([file.status, file.headers['content-type']], [200, 'image/svg+xml'], String(query))
        textsOfXml(file.body)
        assert.doesNotMatch(file.body, /<script|<svg onload/)
      }
  assert.match(
    textsOfXml((await page(app, `/pt/vehicles/chart.svg?${COMPARED}`)).body).join(' '),
    /Elétrico, 2022/,
  )
  const refused = await page(app, '/vehicles/chart.svg?startDate=gestern')
  assert.equal(refused.status, 400)
  assert.match(String(refused.headers['content-type']), /^text\/html/)
})

test('the chart is embedded by HTML to copy', async t => {
  const { app } = await build(t, { vehicles: THREE_YEARS })
  const { body } = await page(app, `/vehicles?${COMPARED}&q=${encodeURIComponent('"><i>')}&page=2`)
  const [, code = ''] = /<code>(&lt;iframe [^\n]*)/.exec(body) ?? []
  const [, source = '', title] =
    /^<iframe src="([^"]*)" title="([^"]*)"[^<>]*><\/iframe>$/.exec(hrefOf(code)) ?? []
  assert.equal(title, 'Vehicles by month first registered')
  const { origin, pathname, searchParams } = new URL(hrefOf(source))
  assert.equal(origin + pathname, 'http://data.example/embed/vehicles')
  assert.deepEqual(Object.fromEntries(searchParams), {
    ...{
      q: '"><i>',
      fuelType: 'ELECTRIC',
      startDate: '2022-01-01',
      endDate: '2022-12-31',
      with: ELECTRIC_2023,
    },
  })
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
  assert.doesNotMatch(none.body, /class="(year-chart|shares)"/)
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
