import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { axeViolations, NO_CHROMIUM, show, startChromium, untilTrue } from '../support/chromium.ts'
import { ISLAND, OBSERVATION, TOILETS } from '../support/island.ts'
import { faultsOf, PHONE, WINDOWS } from '../support/page-checks.ts'
import { listen } from '../support/raw-http.ts'
import { listenRaw } from '../support/raw-upstream.ts'
import { build } from '../support/service.ts'

const HERE = { latitude: 49.1801234, longitude: -2.1001 }

const defibrillator = (id: number, location: string, rest: object) => ({
  ...{ id: `2f1e0d9c-8b7a-4695-8473-62514039290${id}`, createdAt: '2024-07-03T13:01:56.000Z', location },
  ...{ parish: 'St. Helier', padNumber: id, latitude: null, longitude: null, notes: null, ...rest },
})
const DEFIBRILLATORS = [
  defibrillator(1, 'Airport', { parish: 'St. Peter', latitude: 49.208, longitude: -2.195 }),
  defibrillator(2, 'Library', { latitude: 49.1847, longitude: -2.1042, notes: 'Left of the door' }),
  defibrillator(3, 'Market', { latitude: 49.1835, longitude: -2.1001 }),
  defibrillator(4, 'Café', { parish: 'St. Mary' }),
  defibrillator(5, 'Station', { latitude: 49.18012, longitude: -2.0976 }),
]

const serve = async (t: TestContext, synthetic = false) => {
  const content = { ...ISLAND, defibrillators: DEFIBRILLATORS }
  const { app } = await build(t, content, { observation: OBSERVATION, synthetic })
  return `http://127.0.0.1:${await listen(app)}`
}

const names = (page: Page) => page.locator('.place-row-text > a').allInnerTexts()
const NEAREST = ['Station', 'Market', 'Library']

test('a neighbour collapsed: one press from the front page to the way', { skip: NO_CHROMIUM }, async t => {
  const origin = await serve(t)
  const browser = await startChromium(t)
  const permitted = { geolocation: HERE, permissions: ['geolocation'] }
  for (const options of WINDOWS) {
    const { colorScheme, viewport } = options
    await t.test(`${colorScheme}, ${viewport.width} wide`, async t => {
      const shown = await show(t, browser, `${origin}/`, { ...options, ...permitted })
      const { page } = shown
      const asked: string[] = []
      page.on('request', request => asked.push(request.url()))
      await page.getByRole('link', { name: 'Nearest defibrillator' }).click()
      const way = page.getByRole('link', { name: 'Directions to Station' })
      await way.waitFor()
      assert.deepEqual(await names(page), NEAREST)
      const rows = await page.locator('.place-row').allInnerTexts()
      assert.match(rows[0] ?? '', /^Station\s+180 m to the east · St\. Helier\s+Directions$/)
      assert.match(
        rows[2] ?? '',
        /^Library\s+590 m to the north-west · St\. Helier\s+Left of the door\s+Directions$/,
      )
      const call = await page.getByRole('link', { name: 'Call 999' }).boundingBox()
      const first = await page.locator('.place-row').first().boundingBox()
      assert.ok(call !== null && first !== null && call.y + call.height < first.y)
      assert.ok(first.y + first.height < 500, `the first ends at ${first.y + first.height} px`)
      assert.deepEqual(await faultsOf(shown), [])
      // The exact position stays on the device.
      assert.ok(!asked.some(url => /49\.18|near=/.test(url)), asked.join('\n'))
    })
  }
})

test('the page asks for the position on a press, by keyboard too', { skip: NO_CHROMIUM }, async t => {
  const origin = await serve(t)
  const options = { viewport: PHONE, geolocation: { ...HERE, accuracy: 1234 } }
  const { page, faults } = await show(t, await startChromium(t), `${origin}/emergency`, options)
  const find = page.getByRole('button', { name: 'Find the nearest' })
  await find.waitFor()
  assert.deepEqual(await names(page), [])
  assert.equal(await page.getByRole('link', { name: 'Call 999' }).getAttribute('href'), 'tel:999')
  await page.context().grantPermissions(['geolocation'])
  await find.press('Enter')
  await page.getByRole('link', { name: 'Directions to Station' }).waitFor()
  await untilTrue(page, "document.activeElement.matches('.emergency-found')")
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Station')
  await page.getByText('The exact location of 1 defibrillator is not known.').waitFor()
  await page.getByText('Your location is only known to within 1.2 km').waitFor()

  await page.getByLabel('Parish').selectOption('St. Helier')
  await page.getByRole('heading', { name: 'Defibrillators in St. Helier' }).waitFor()
  assert.deepEqual(await names(page), NEAREST)
  assert.deepEqual(await axeViolations(page), [])
  assert.deepEqual(faults, [])
})

test('without a position the reader chooses a parish', { skip: NO_CHROMIUM }, async t => {
  const origin = await serve(t)
  const { page } = await show(t, await startChromium(t), `${origin}/emergency`, { viewport: PHONE })
  await page.getByRole('button', { name: 'Find the nearest' }).press('Enter')
  await page.getByText('We could not get your location. Choose a parish.').waitFor()
  assert.equal(await page.evaluate('document.activeElement.id'), 'parish')
  await page.getByLabel('Parish').selectOption('St. Mary')
  await page.getByRole('link', { name: 'Search by name for Café' }).waitFor()
  assert.deepEqual(await names(page), ['Café'])
  assert.deepEqual(await axeViolations(page), [])
})

test('without scripts a form lists the defibrillators of a parish', { skip: NO_CHROMIUM }, async t => {
  const origin = await serve(t)
  const options = { viewport: PHONE, javaScriptEnabled: false }
  const { page } = await show(t, await startChromium(t), `${origin}/`, options)
  await page.getByRole('link', { name: 'Nearest defibrillator' }).click()
  await page.getByLabel('Parish').selectOption('St. Peter')
  await page.getByRole('button', { name: 'Show' }).click()
  await page.waitForURL('**/emergency?parish=St.+Peter')
  assert.deepEqual(await names(page), ['Airport'])
  await page.getByRole('link', { name: 'Directions to Airport' }).waitFor()
})

test('without a network the device finds the nearest defibrillators, and nothing else', {
  skip: NO_CHROMIUM,
}, async t => {
  const origin = await serve(t)
  const options = { viewport: PHONE, geolocation: HERE, permissions: ['geolocation'] }
  const { page, faults } = await show(t, await startChromium(t), `${origin}/recalls`, options)
  await untilTrue(
    page,
    `navigator.serviceWorker.ready.then(() => caches.match('${origin}/emergency')).then(found => found !== undefined)`,
  )
  await page.context().setOffline(true)
  await page.goto(`${origin}/emergency`)
  await page.getByRole('link', { name: 'Directions to Station' }).waitFor()
  await page.getByText('We cannot reach the service.').waitFor()
  assert.deepEqual(await names(page), NEAREST)
  assert.deepEqual(await axeViolations(page), [])
  assert.deepEqual(faults, [])

  await page.getByRole('link', { name: 'All defibrillators on the map' }).click()
  await page.getByText('5 defibrillators').waitFor()
  assert.ok(!(await page.locator('.place-row').allInnerTexts()).some(row => row.includes('toilet')))
  await page.getByRole('link', { name: 'Nearest defibrillator' }).click()
  await page.getByRole('link', { name: 'Directions to Station' }).waitFor()
})

test('a network that does not answer is waited for three seconds', { skip: NO_CHROMIUM }, async t => {
  const port = Number(new URL(await serve(t)).port)
  const passing = new Set<Socket>()
  let isSilent = false
  const address = await listenRaw(t, client => {
    if (isSilent) return
    passing.add(client)
    const service = connect({ port, host: '127.0.0.1' })
    client.pipe(service).pipe(client)
    for (const [one, other] of [[client, service] as const, [service, client] as const])
      one.on('error', () => {}).on('close', () => other.destroy())
  })
  const { origin } = new URL(address)
  const options = { viewport: PHONE, geolocation: HERE, permissions: ['geolocation'] }
  const { page } = await show(t, await startChromium(t), `${origin}/recalls`, options)
  await untilTrue(
    page,
    `navigator.serviceWorker.ready.then(() => caches.match('${origin}/emergency')).then(found => found !== undefined)`,
  )
  isSilent = true
  for (const client of passing) client.unpipe()
  // Other pages wait eight seconds.
  await page.goto(`${origin}/emergency`, { timeout: 7000 })
  await page.getByRole('link', { name: 'Directions to Station' }).waitFor()
  assert.deepEqual(await names(page), NEAREST)
})

test('nothing leads to an invented defibrillator', { skip: NO_CHROMIUM }, async t => {
  const origin = await serve(t, true)
  const options = { viewport: PHONE, geolocation: HERE, permissions: ['geolocation'] }
  const shown = await show(t, await startChromium(t), `${origin}/emergency`, options)
  const { page } = shown
  const ways = () => page.getByRole('link', { name: /^(Directions|Search by name)/ }).count()
  await page.getByText('180 m away').waitFor()
  assert.match(
    (await page.locator('body').innerText()).replace(/\s+/g, ' '),
    /Never use it to find a defibrillator\. .*Nearest defibrillator Call 999 .* Station 180 m away/,
  )
  assert.doesNotMatch(await page.locator('main').innerText(), /to the east/)
  assert.equal(await ways(), 0)
  await page.getByLabel('Parish').selectOption('St. Mary')
  await page.getByText('exact location not known').waitFor()
  assert.equal(await ways(), 0)
  assert.deepEqual(await faultsOf(shown), [])

  for (const id of [DEFIBRILLATORS[0]?.id, DEFIBRILLATORS[3]?.id]) {
    await page.goto(`${origin}/places/defibrillators/${id}`)
    assert.equal(await ways(), 0)
    await page.goto(`${origin}/map?dataset=defibrillators&place=defibrillators/${id}`)
    if (id === DEFIBRILLATORS[0]?.id) await page.locator('.leaflet-popup').getByText('Airport').waitFor()
    assert.equal(await ways(), 0)
  }
  await page.goto(`${origin}/map?place=toilets/${TOILETS[0]?.id}`)
  await page.locator('.leaflet-popup').getByRole('link', { name: 'Directions to Pier' }).waitFor()

  await page.evaluate('navigator.serviceWorker.ready')
  await page.context().setOffline(true)
  await page.goto(`${origin}/map?dataset=defibrillators`)
  await page.getByText('5 defibrillators').waitFor()
  assert.equal(await ways(), 0)
})
