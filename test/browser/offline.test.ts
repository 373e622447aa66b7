import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { axeViolations, NO_CHROMIUM, show, startChromium, untilTrue } from '../support/chromium.ts'
import { emptyFolder } from '../support/folder.ts'
import { CARPARKS, DEFIBRILLATORS, ISLAND, OBSERVATION, TOILETS } from '../support/island.ts'
import { packMapFile } from '../support/map-file.ts'
import { PHONE } from '../support/page-checks.ts'
import { buildBehindPrefix, PREFIX } from '../support/prefix-proxy.ts'
import { listen } from '../support/raw-http.ts'
import { build } from '../support/service.ts'

const now = () => Date.parse(OBSERVATION.timestamp) + 60_000

const dateText = new Intl.DateTimeFormat('en-GB', {
  ...{ timeZone: 'Europe/Jersey', day: 'numeric', month: 'long', year: 'numeric' },
}).format(new Date())

/** Opens the map, and waits until the device keeps its places. */
async function keep(
  t: TestContext,
  options: BrowserContextOptions = {},
  environment: Record<string, string> = {},
): Promise<{ page: Page; origin: string }> {
  const { app } = await build(t, ISLAND, { observation: OBSERVATION, now, environment })
  const origin = `http://127.0.0.1:${await listen(app)}`
  const { page } = await show(t, await startChromium(t), `${origin}/map`, options)
  await page
    .getByText(`Toilets and defibrillators of ${dateText} are saved on this device for offline use.`)
    .waitFor()
  return { page, origin }
}

test('without a network the toilets and defibrillators are there, with their date', {
  skip: NO_CHROMIUM,
}, async t => {
  const geolocation = { latitude: 49.18, longitude: -2.1001 }
  const { page, origin } = await keep(t, { viewport: PHONE, permissions: ['geolocation'], geolocation })
  const visited = `${origin}/places/toilets/${TOILETS[0]?.id}`
  await page.goto(visited)
  // The service worker keeps a page after it has been shown.
  await untilTrue(page, `caches.match('${visited}').then(found => found !== undefined)`)
  await page.context().setOffline(true)
  const names = () => page.locator('.place-row strong').allInnerTexts()

  await t.test('at the address of the map', async () => {
    await page.goto(`${origin}/map?dataset=carparks`)
    await page.getByText(`Toilets and defibrillators saved on ${dateText}`).waitFor()
    assert.deepEqual(await names(), ['Fire Station', 'Pier', 'Café', 'Dunes'])
    assert.match(
      await page.locator('.place-row').first().innerText(),
      /St\. Helier\s+Ladies side\s+49\.18000, -2\.11000/,
    )
    await page.locator('.leaflet-marker-pane .map-place').first().waitFor()
    assert.deepEqual(await axeViolations(page), [])
  })

  await t.test('of the kind that the address asks for', async () => {
    const cases = {
      '/map?dataset=defibrillators': ['Fire Station', 'Café'],
      '/toilets': ['Pier', 'Dunes'],
      '/map?dataset=defibrillators,toilets': ['Fire Station', 'Pier', 'Café', 'Dunes'],
    }
    for (const [path, kept] of Object.entries(cases)) {
      await page.goto(origin + path)
      await page.locator('.place-row').first().waitFor()
      assert.deepEqual(await names(), kept, path)
    }
  })

  await t.test('by parish, by kind and nearest first', async () => {
    await page.getByLabel('Parish').selectOption('St. Helier')
    assert.deepEqual(await names(), ['Fire Station', 'Pier'])
    await page.getByRole('button', { name: 'Nearest to me' }).click()
    await page.getByText('2 places, nearest first').waitFor()
    assert.deepEqual(await names(), ['Pier', 'Fire Station'])
    await page.getByLabel('What to show').selectOption('defibrillators')
    assert.deepEqual(await names(), ['Fire Station'])
    await page.getByLabel('Parish').selectOption('')
    await page
      .getByText(
        '2 defibrillators, nearest first. The exact location of 1 place is not known. It comes last.',
      )
      .waitFor()
    assert.deepEqual(await names(), ['Fire Station', 'Café'])
    assert.deepEqual(await axeViolations(page), [])
  })

  await t.test('free spaces are not: neither on the map nor on a page of parking', async () => {
    for (const path of ['/map', '/', '/parking', `/places/carparks/${CARPARKS[0]?.id}`]) {
      await page.goto(origin + path)
      await page.getByText('Free parking spaces are never saved.').waitFor()
      assert.doesNotMatch(await page.locator('body').innerText(), /332|Harbour Street/, path)
      assert.match(await page.locator('main').innerText(), /You may be offline, or the service may be down/)
    }
  })

  await t.test('what was asked for is tried again', async () => {
    await page.goto(`${origin}/recalls?q=toaster`)
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Product recalls' }).waitFor()
    assert.equal(await page.getByLabel('Product or hazard').inputValue(), 'toaster')
    await page.context().setOffline(true)
  })

  await t.test('a page that was open before is as it was, and says of when', async () => {
    await page.goto(visited)
    assert.match(
      await page.locator('.offline-notice').innerText(),
      new RegExp(`saved on ${dateText} at \\d\\d:\\d\\d`),
    )
    assert.equal(await page.locator('h1').innerText(), 'Pier')
    assert.deepEqual(await axeViolations(page), [])
  })

  await t.test('a place that was never opened is among those that are kept', async () => {
    await page.goto(`${origin}/places/defibrillators/${DEFIBRILLATORS[0]?.id}`)
    assert.equal(await page.locator('#asked').innerText(), 'Fire Station')
    await page.locator('.leaflet-popup').getByText('Fire Station').waitFor()
  })

  await t.test('with a network again, everything is as it is now', async () => {
    await page.context().setOffline(false)
    await page.goto(visited)
    assert.equal(await page.locator('.offline-notice').count(), 0)
    await page.goto(`${origin}/map`)
    assert.match(await page.locator('#places').innerText(), /332 spaces free/)
  })
})

test('a device that keeps nothing yet is told how it would', { skip: NO_CHROMIUM }, async t => {
  const { app } = await build(t, ISLAND)
  const url = `http://127.0.0.1:${await listen(app)}/offline`
  const { page } = await show(t, await startChromium(t), url, { serviceWorkers: 'block' })
  await page.getByText('No places are saved on this device yet.').waitFor()
})

test('whichever page is opened first, the places are kept', { skip: NO_CHROMIUM }, async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVATION, now })
  const origin = `http://127.0.0.1:${await listen(app)}`
  const { page } = await show(t, await startChromium(t), `${origin}/recalls`)
  await page.evaluate('navigator.serviceWorker.ready')
  await page.context().setOffline(true)
  await page.goto(`${origin}/map`)
  await page.getByText(`Toilets and defibrillators saved on ${dateText}`).waitFor()
})

test('below a path that a proxy strips, scripts and the service worker work, and keep apart what they keep', {
  skip: NO_CHROMIUM,
}, async t => {
  const { base } = await buildBehindPrefix(t, ISLAND, { observation: OBSERVATION, now })
  const { page, faults } = await show(t, await startChromium(t), `${base}/parking`)
  await page.getByText('Updates automatically').waitFor()
  const scope = await page.evaluate('navigator.serviceWorker.ready.then(({ scope }) => scope)')
  assert.equal(scope, `${base}/`)
  await page.evaluate("caches.open('of-another-site')")
  for (const path of ['/', '/vehicles?make=ford', '/data/toilets', '/status', '/docs/explanation/privacy'])
    await page.goto(base + path)
  await page.goto(`${base}/docs/api/listToilets`)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Status 200').waitFor()
  await page.goto(`${base}/map`)
  await page.getByText('saved on this device for offline use').waitFor()
  assert.deepEqual(faults, [])
  const visited = `${base}/places/toilets/${TOILETS[0]?.id}`
  await page.goto(visited)

  await page.context().setOffline(true)
  await page.goto(`${base}/map`)
  await page.getByText(`Toilets and defibrillators saved on ${dateText}`).waitFor()
  for (const path of [visited, `${base}/emergency`]) {
    await page.goto(path)
    await page.locator('.offline-notice').waitFor()
  }
  await page.getByRole('button', { name: 'Find the nearest' }).waitFor()
  const names = (await page.evaluate('caches.keys()')) as string[]
  assert.ok(names.includes('of-another-site') && names.includes(`kept-places${PREFIX}`), String(names))
  assert.ok(
    names.every(name => name === 'of-another-site' || name.endsWith(PREFIX)),
    String(names),
  )
})

test('a small file of the map is kept whole, and draws the streets without a network', {
  skip: NO_CHROMIUM,
}, async t => {
  const MAP_FILE = join(await emptyFolder(t), 'island.pmtiles')
  await writeFile(MAP_FILE, packMapFile())
  const { page, origin } = await keep(t, {}, { MAP_FILE })
  // The first page was there before its service worker.
  await page.reload()
  await untilTrue(page, "caches.match('/map.pmtiles').then(found => found !== undefined)")
  await page.context().setOffline(true)
  await page.goto(`${origin}/map?dataset=toilets`)
  await page.getByText(`Toilets and defibrillators saved on ${dateText}`).waitFor()
  await page.locator('canvas.leaflet-tile-loaded').first().waitFor()
  assert.equal(await page.locator('.map-island').count(), 0)
})
