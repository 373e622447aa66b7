import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { NO_CHROMIUM, show, startChromium } from '../support/chromium.ts'
import { ISLAND, RECALLS } from '../support/island.ts'
import { faultsOf, PHONE, WINDOWS } from '../support/page-checks.ts'
import { listen } from '../support/raw-http.ts'
import { build } from '../support/service.ts'
import { until } from '../support/until.ts'

const PAGES = [
  '/vehicles',
  '/vehicles/over-time',
  '/vehicles?make=Ford&match=exact&color=blue&sort=-cylinderCapacity',
  '/vehicles?color=blue&with=make%3DAustin',
  '/vehicles?startDate=2010-01-01&endDate=2010-12-31&with=startDate%3D1930-01-01%26endDate%3D1930-12-31',
  '/vehicles?startDate=gestern&fuelType=diesel&page=0',
  '/vehicles?make=nothing',
  '/recalls',
  '/recalls?since=gestern',
  '/recalls/3',
  '/recalls/99',
  '/data',
  '/data/vehicles',
  '/data/toilets',
  '/data/toilet',
]

/** More vehicles than a page holds. */
const VEHICLES = `${ISLAND.vehicles}${Array.from({ length: 40 }, (_, index) => `Austin,SEVEN ${index},Black,747,360,,Petrol,01/02/1930,05/06/1950`).join('\n')}\n`

async function serve(t: TestContext) {
  const { app } = await build(t, { ...ISLAND, vehicles: VEHICLES })
  return `http://127.0.0.1:${await listen(app)}`
}

const total = (page: Page) => page.locator('#total').innerText()

/** Faults but for the word of Chromium that a page of an error was one. */
const real = (faults: string[]) => faults.filter(fault => !/status of (400|404)/.test(fault))

test('the pages of vehicles, recalls and data are accessible and fit every window', {
  skip: NO_CHROMIUM,
}, async t => {
  const origin = await serve(t)
  const browser = await startChromium(t)
  for (const options of WINDOWS) {
    const { colorScheme, viewport } = options
    await t.test(`${colorScheme}, ${viewport.width} wide`, async t => {
      const shown = await show(t, browser, `${origin}/vehicles`, options)
      for (const path of PAGES) {
        await shown.page.goto(origin + path)
        assert.deepEqual(real(await faultsOf(shown)), [], path)
      }
    })
  }
})

test('what to press is large enough for a finger', { skip: NO_CHROMIUM }, async t => {
  const origin = await serve(t)
  const { page } = await show(t, await startChromium(t), 'about:blank', { viewport: PHONE })
  for (const path of PAGES) {
    await page.goto(origin + path)
    const small = await page
      .locator('main :is(a.bar-link, .chips a, button, input, select, summary, .paging a)')
      .evaluateAll(controls =>
        controls.flatMap(control => {
          const { height, width } = control.getBoundingClientRect()
          return height > 0 && (height < 24 || width < 24) ? [control.outerHTML] : []
        }),
      )
    assert.deepEqual(small, [], path)
  }
})

for (const javaScriptEnabled of [true, false])
  test(`the register is searched, narrowed down, sorted and paged ${javaScriptEnabled ? 'with' : 'without'} scripts`, {
    skip: NO_CHROMIUM,
  }, async t => {
    const origin = await serve(t)
    const browser = await startChromium(t)
    const { page, faults } = await show(t, browser, `${origin}/vehicles`, {
      viewport: PHONE,
      javaScriptEnabled,
    })
    assert.equal(await total(page), '47 vehicles')
    assert.equal(
      await page.locator('.vehicles thead').isVisible(),
      false,
      'cards have no links that nobody sees',
    )
    await page.getByLabel('Make', { exact: true }).fill('austin')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.waitForURL(/make=austin/)
    assert.equal(await total(page), '40 vehicles')
    await page.getByRole('link', { name: 'Next' }).click()
    await page.waitForURL(/page=2/)
    assert.equal(await page.locator('table.vehicles tbody tr').count(), 10)
    await page.getByRole('link', { name: /^Make: austin/ }).click()
    await page.waitForURL(url => !url.search.includes('austin'))
    await page.getByRole('link', { name: /^Red 2/ }).click()
    await page.waitForURL(/color=Red/)
    assert.equal(await total(page), '2 vehicles')
    await page.getByRole('link', { name: /^Red 2/ }).click()
    await page.waitForURL(url => !url.search.includes('Red'))
    assert.equal(await total(page), '47 vehicles')
    await page.getByText('Dates, engine, weight, CO₂ and order').click()
    await page.getByLabel('Order').selectOption({ label: 'Oldest first' })
    await page.getByRole('button', { name: 'Search' }).click()
    await page.waitForURL(/sort=firstRegisteredAt/)
    assert.match(await page.locator('table.vehicles tbody tr').first().innerText(), /^Austin SEVEN/)
    assert.deepEqual(faults, [])
  })

/** What a journalist reads and presses, in the words of each language. */
const COMPARISONS = [
  {
    ...{
      path: '/vehicles',
      compare: 'Compare with another search',
      stop: 'Stop comparing',
      fuel: /^Electric \d/,
    },
    ...{
      years: 'All years',
      counted: /^12 vehicles$/,
      first: 'Fuel: Electric, 2022: 12',
      table: /as a table$/,
    },
    ...{ second: 'Fuel: Electric, 2021: 24', title: 'Vehicles by month first registered', locale: 'en-GB' },
  },
  {
    ...{
      path: '/pt/vehicles',
      locale: 'pt-PT',
      compare: 'Comparar com outra pesquisa',
      stop: 'Deixar de comparar',
    },
    ...{ fuel: /^Elétrico \d/, years: 'Todos os anos', counted: /^12 veículos$/, table: /em tabela$/ },
    ...{ first: 'Combustível: Elétrico, 2022: 12', second: 'Combustível: Elétrico, 2021: 24' },
    title: 'Veículos por mês do primeiro registo',
  },
]

/** One electric vehicle in each month of 2022, and two in each of 2021. */
const ELECTRIC = [2022, 2021, 2021]
  .flatMap(year =>
    Array.from({ length: 12 }, (_, month) => `01/${String(month + 1).padStart(2, '0')}/${year}`),
  )
  .map(date => `Tesla,ONE,White,,,,Electric,${date},${date}`)

test('two years of electric vehicles are compared by presses alone, and taken away as a file', {
  skip: NO_CHROMIUM,
}, async t => {
  const { app } = await build(t, { ...ISLAND, vehicles: `${VEHICLES}${ELECTRIC.join('\n')}\n` })
  const origin = `http://127.0.0.1:${await listen(app)}`
  const browser = await startChromium(t)
  for (const words of COMPARISONS)
    for (const options of WINDOWS)
      await t.test(`${words.path}, ${options.colorScheme}, ${options.viewport.width} wide`, async t => {
        const shown = await show(t, browser, origin + words.path, { ...options, locale: words.locale })
        const { page } = shown
        const press = async (name: string | RegExp) => page.getByRole('link', { name }).first().click()
        await press(words.fuel)
        await page.waitForURL(/fuelType=ELECTRIC/)
        await page.locator('.columns a', { hasText: /^2022/ }).click()
        await page.waitForURL(/startDate=2022-01-01/)
        assert.match(await total(page), words.counted)
        assert.ok(await page.locator('#total').evaluate(heading => heading.getBoundingClientRect().top < 100))
        await press(words.compare)
        await page.waitForURL(/with=/)
        await press(words.years)
        await page.waitForURL(url => !url.searchParams.has('startDate'))
        // On a phone, the table has the columns in a size for fingers.
        await page.getByText(words.table).click()
        await page.locator('.numbers').getByRole('link', { name: '2021', exact: true }).click()
        await page.waitForURL(/startDate=2021-01-01/)
        assert.equal(await page.locator('.year-chart h3').innerText(), words.title)
        const legend = await page.locator('.year-chart .legend').innerText()
        assert.ok(
          legend.indexOf(words.second) >= 0 && legend.indexOf(words.first) > legend.indexOf(words.second),
        )
        assert.deepEqual(
          await page.locator('.numbers tbody td').allTextContents(),
          Array(12).fill(['2', '1']).flat(),
        )
        const drawn = await page.evaluate<string[]>(
          `[...document.querySelectorAll('.columns :is(.first, .second)')].map(bar => {
            const { fill, stroke } = getComputedStyle(bar)
            return [fill, stroke].join()
          })`,
        )
        assert.deepEqual([drawn.length, new Set(drawn).size], [24, 2])
        assert.deepEqual(await faultsOf(shown), [])
        const [download] = await Promise.all([page.waitForEvent('download'), press('SVG')])
        assert.ok(download.url().endsWith('.svg') || download.url().includes('/vehicles/chart.svg?'))
        await press(words.stop)
        await page.waitForURL(url => !url.searchParams.has('with'))
      })
})

test('an address has only what was filled in, and can be copied', { skip: NO_CHROMIUM }, async t => {
  const origin = await serve(t)
  const browser = await startChromium(t)
  const { page } = await show(t, browser, `${origin}/vehicles`, {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await page.getByLabel('Make or model').fill('golf gti')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${origin}/vehicles?q=golf+gti`)
  await page.goto(`${origin}/vehicles?make=ford`)
  await page.getByRole('button', { name: 'Copy the address of this page in the API' }).click()
  await page.getByText('Copied').waitFor()
  const copied = String(await page.evaluate('navigator.clipboard.readText()'))
  assert.match(copied, /\/v1\/vehicles\?make=ford$/)
})

test('without scripts there is no button that could do nothing', { skip: NO_CHROMIUM }, async t => {
  const origin = await serve(t)
  const { page } = await show(t, await startChromium(t), `${origin}/data/toilets`, {
    javaScriptEnabled: false,
  })
  assert.equal(await page.getByRole('button', { name: /^Copy/ }).count(), 0)
})

test('the models of the make that is written are suggested', { skip: NO_CHROMIUM }, async t => {
  const origin = await serve(t)
  const { page } = await show(t, await startChromium(t), `${origin}/vehicles`)
  await page.getByLabel('Make', { exact: true }).fill('ford')
  await page.keyboard.press('Tab')
  const models = () =>
    page
      .locator('#list-model option')
      .evaluateAll(options => options.map(({ value }: { value?: string }) => value))
  await until(async () => (await models()).length > 0, 'the models')
  assert.deepEqual(await models(), ['FIESTA', 'FOCUS'])
})

test('a recall is found, opened by keyboard and left again', { skip: NO_CHROMIUM }, async t => {
  const origin = await serve(t)
  const { page, faults } = await show(t, await startChromium(t), `${origin}/recalls`, { viewport: PHONE })
  await page.getByLabel('Brand').fill('acme')
  await page.keyboard.press('Enter')
  await page.waitForURL(/brand=acme$/)
  await page.getByRole('link', { name: 'Toy 3' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/recalls\/3$/)
  assert.match(await page.locator('main').innerText(), /Choking[\s\S]*Return it\./)
  await page.getByRole('link', { name: 'More recalls of Acme & Sons' }).click()
  await page.waitForURL(/brand=Acme/)
  assert.equal(await total(page), '3 recalls')
  assert.deepEqual(faults, [])
})

test('on paper are the facts and the addresses of links, and nothing to press', {
  skip: NO_CHROMIUM,
}, async t => {
  const origin = await serve(t)
  const { page } = await show(t, await startChromium(t), 'about:blank', { colorScheme: 'dark' })
  await page.emulateMedia({ media: 'print' })
  const [recall] = RECALLS
  for (const path of [
    '/recalls',
    `/recalls/${recall?.id}`,
    '/emergency?parish=St%20Helier',
    '/data/toilets',
  ]) {
    await page.goto(origin + path)
    for (const shown of ['header', 'footer', 'form', 'nav', 'button'])
      assert.equal(await page.locator(shown).filter({ visible: true }).count(), 0, `${path}: ${shown}`)
    const ink = 'getComputedStyle(document.querySelector("h1")).color'
    assert.equal(await page.evaluate(ink), 'rgb(20, 24, 29)', path)
  }
  assert.ok(await page.locator('details li').first().isVisible(), 'the values of a field')
  await page.goto(`${origin}/emergency`)
  const ground = 'getComputedStyle(document.querySelector(".button.call")).backgroundColor'
  assert.equal(await page.evaluate(ground), 'rgba(0, 0, 0, 0)')
  await page.goto(`${origin}/recalls/${recall?.id}`)
  const address = 'getComputedStyle(document.querySelector("main a[href^=http]"), "::after").content'
  assert.match(String(await page.evaluate(address)), /https?:/)
})
