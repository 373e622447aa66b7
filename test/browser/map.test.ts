import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { NO_CHROMIUM, type ShownPage, show, startChromium } from '../support/chromium.ts'
import { emptyFolder } from '../support/folder.ts'
import { CARPARKS, DEFIBRILLATORS, ISLAND, KNOWN, OBSERVATION, TOILETS } from '../support/island.ts'
import { packMapFile } from '../support/map-file.ts'
import { faultsOf, PHONE, WINDOWS } from '../support/page-checks.ts'
import { listen } from '../support/raw-http.ts'
import { build } from '../support/service.ts'
import { until } from '../support/until.ts'

const MINUTE_MS = 60_000
const HERE = { latitude: 49.18, longitude: -2.1001 }
const EVIL = `<img src=x onerror="window.ran = true">`

/** Counts are new: the clock of the service stands where they were made. */
const now = () => Date.parse(OBSERVATION.timestamp) + MINUTE_MS

const serve = async (
  t: TestContext,
  content: Parameters<typeof build>[1] = KNOWN,
  environment: Record<string, string> = {},
) => {
  const service = await build(t, content, { observation: OBSERVATION, now, environment })
  return { ...service, origin: `http://127.0.0.1:${await listen(service.app)}` }
}

/** Waits until the map can be moved. */
const movable = (page: Page) =>
  page.locator('.leaflet-marker-pane .map-place, .map-cluster').first().waitFor()

/** Waits until these places are in the list. */
const listed = (page: Page, names: readonly string[]) =>
  until(
    async () => String(await page.locator('#places .place-row-text > a').allInnerTexts()) === String(names),
    `the list of ${names}`,
  )

/** What a page did wrong, but for the status of a page that was asked for on purpose. */
const faults = async (shown: ShownPage) =>
  (await faultsOf(shown)).filter(fault => !/status of 40[04]/.test(fault))

test('the map and the pages of places are accessible, and fit a phone', { skip: NO_CHROMIUM }, async t => {
  const { origin } = await serve(t)
  const browser = await startChromium(t)
  const paths = [
    '/map',
    `/map?near=49.18,-2.1001&facility=BEACH_SHOWER&place=toilets/${TOILETS[0]?.id}`,
    '/map?near=49.18,-2.1001',
    '/map?parish=Atlantis&near=x&place=x',
    `/places/toilets/${TOILETS[0]?.id}`,
    '/parking/HARBST',
    `/parking/${CARPARKS[1]?.id}`,
    `/places/defibrillators/${DEFIBRILLATORS[1]?.id}`,
    '/places/toilets/gone',
    '/offline',
  ]
  for (const options of WINDOWS) {
    const { colorScheme, viewport } = options
    await t.test(`${colorScheme}, ${viewport.width} wide`, async t => {
      const shown = await show(t, browser, `${origin}/`, options)
      for (const path of paths) {
        await shown.page.goto(origin + path)
        if (path.startsWith('/map')) await movable(shown.page)
        assert.deepEqual(await faults(shown), [], path)
      }
    })
  }
})

test('a person finds places on the map', { skip: NO_CHROMIUM }, async t => {
  const { origin, app } = await serve(t)
  const browser = await startChromium(t)

  await t.test('the nearest toilet: by one press, which asks where the device is', async t => {
    const permitted = { permissions: ['geolocation'], geolocation: HERE, viewport: PHONE }
    const { page, faults } = await show(t, browser, `${origin}/map`, permitted)
    await page.getByLabel('Toilets', { exact: true }).check()
    await page.waitForURL(/dataset=toilets/)
    await listed(page, ['Pier', 'Dunes'])
    await page.getByRole('button', { name: 'Nearest to me' }).click()
    await page.waitForURL(/near=49\.180,-2\.100/)
    await page.getByText('2 places, nearest first').waitFor()
    assert.match(
      await page.locator('.place-row').first().innerText(),
      /Pier\s+10 m away · Public toilet · St\. Helier/,
    )
    await page.locator('.map-here').waitFor()
    await page.locator('.place-row a').first().click()
    await page.waitForURL(/\/places\/toilets\//)
    assert.match(
      (await page.getByRole('link', { name: 'Directions' }).getAttribute('href')) ?? '',
      /openstreetmap\.org\/directions\?to=49\.18%2C-2\.1$/,
    )
    assert.deepEqual(faults, [])
  })

  await t.test('the nearest of what is ticked and chosen, before it has been sent', async t => {
    const permitted = { permissions: ['geolocation'], geolocation: HERE, viewport: PHONE }
    const { page, faults } = await show(
      t,
      browser,
      `${origin}/map?dataset=recycling&near=49.2,-2.2`,
      permitted,
    )
    await page.getByLabel('Recycling', { exact: true }).uncheck()
    await page.getByLabel('Toilets', { exact: true }).check()
    await page.getByLabel('Defibrillators', { exact: true }).check()
    await page.getByLabel('Parish', { exact: true }).selectOption('St. Helier')
    await page.getByText('Filter by facility or material').click()
    await page.getByLabel('Beach shower').check()
    await page.getByRole('button', { name: 'Nearest to me' }).click()
    await page.waitForURL(/near=49\.180,-2\.100/)
    assert.deepEqual(Object.fromEntries(new URL(page.url()).searchParams), {
      ...{ dataset: 'toilets,defibrillators', facility: 'BEACH_SHOWER', parish: 'St. Helier' },
      near: '49.180,-2.100',
    })
    assert.equal(await page.getByLabel('Toilets', { exact: true }).isChecked(), true)
    await listed(page, ['Pier'])
    assert.deepEqual(faults, [])
  })

  await t.test('a place without a position: by its name in the phone’s map', async t => {
    for (const [userAgent, scheme] of [
      ['Mozilla/5.0 (Linux; Android 14)', 'geo:0,0?q='],
      ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)', 'maps:?q='],
    ]) {
      const options = { viewport: PHONE, userAgent: `${userAgent}` }
      const { page } = await show(t, browser, `${origin}/map?near=49.18,-2.1001`, options)
      await movable(page)
      const link = page.getByRole('link', { name: 'Search by name for Café' })
      await until(
        async () => (await link.getAttribute('href'))?.startsWith(`${scheme}`),
        'the phone’s own map',
      )
      assert.equal(await link.getAttribute('href'), `${scheme}Caf%C3%A9%2C%20St.%20Mary%2C%20Jersey`)
    }
  })

  await t.test('where a device does not say where it is, a parish', async t => {
    const { page } = await show(t, browser, `${origin}/map`, { permissions: [] })
    await page.getByRole('button', { name: 'Nearest to me' }).click()
    await page.getByText('We could not get your location. Choose a parish.').waitFor()
    assert.equal(await page.evaluate('document.activeElement.id'), 'parish')
    await page.getByLabel('Parish', { exact: true }).selectOption('Grouville')
    await page.waitForURL(/parish=Grouville/)
    await listed(page, ['Parish Hall'])
  })

  await t.test('by keyboard: each filter in use is removed by its link', async t => {
    const path = '/map?parish=St.+Helier&facility=BEACH_SHOWER'
    const { page, faults } = await show(t, browser, origin + path, { viewport: PHONE })
    await movable(page)
    await listed(page, ['Pier'])
    await page.getByRole('link', { name: 'Remove filter: Beach shower' }).press('Enter')
    await page.waitForURL(/map\?parish=St\.\+Helier$/)
    await listed(page, ['Pier', 'Fire Station'])
    await page.getByRole('link', { name: 'Remove filter: St. Helier' }).press('Enter')
    await page.waitForURL(/\/map$/)
    await page.getByText('7 places.').waitFor()
    await page.getByLabel('Car parks', { exact: true }).press('Space')
    await listed(page, ['Beach', 'Harbour Street'])
    await page.locator('.map-place b').waitFor()
    assert.deepEqual(faults, [])
  })

  await t.test('without a network, other filters lead to the saved places', async t => {
    const { page } = await show(t, browser, `${origin}/map`, { viewport: PHONE })
    await page.getByText('saved on this device for offline use').waitFor()
    await page.context().setOffline(true)
    await page.evaluate('document.querySelector("input[value=toilets]").click()')
    await page.getByRole('heading', { name: 'You are offline' }).waitFor()
    const saved = page.locator('.place-row strong')
    await until(async () => String(await saved.allInnerTexts()) === 'Pier,Dunes', 'the saved places')
  })

  await t.test('rows say what places offer, and lead there', async t => {
    const { page } = await show(t, browser, `${origin}/map`)
    const row = (name: string) => page.locator('.place-row', { hasText: name }).first()
    assert.match(await row('Pier').innerText(), /Beach shower/)
    assert.match(await row('Parish Hall').innerText(), /Clean glass/)
    assert.match(await row('Harbour Street').innerText(), /Short stay · 606 spaces · 12 for disabled people/)
    await row('Pier').getByRole('link', { name: 'Directions to Pier' }).waitFor()
    await row('Harbour Street').getByRole('link', { name: 'Harbour Street', exact: true }).click()
    await page.waitForURL(/\/parking\/HARBST$/)
  })

  await t.test('on a phone the map stays above the list, and its popup is clear of the buttons', async t => {
    for (const { id } of [TOILETS[0], CARPARKS[0]].filter(each => each !== undefined)) {
      const dataset = id === CARPARKS[0]?.id ? 'carparks' : 'toilets'
      const path = `/map?place=${dataset}/${id}`
      const { page } = await show(t, browser, origin + path, { viewport: PHONE })
      await page.locator('.leaflet-popup').waitFor()
      await page.waitForTimeout(500)
      const boxOf = async (selector: string) =>
        (await page.locator(selector).first().boundingBox()) ?? assert.fail(selector)
      const [opened, buttons] = [await boxOf('.leaflet-popup'), await boxOf('.leaflet-control-zoom')]
      assert.ok(
        opened.x >= buttons.x + buttons.width || opened.y >= buttons.y + buttons.height,
        `${JSON.stringify(opened)} covers ${JSON.stringify(buttons)}`,
      )
      await page.evaluate('scrollTo(0, document.body.scrollHeight)')
      const map = await boxOf('.places-map-frame')
      assert.ok(map.y < 1 && map.height > 350 && map.height < 430, JSON.stringify(map))
    }
  })

  await t.test('by keyboard: a marker opens, leads to the page, and closes', async t => {
    const { page } = await show(t, browser, `${origin}/map?dataset=carparks`)
    await movable(page)
    const marker = page.getByRole('button', { name: 'Harbour Street, Car park, 332 spaces free at 03:32' })
    await marker.focus()
    await page.keyboard.press('Enter')
    const link = page.locator('.leaflet-popup').getByRole('link', { name: 'Harbour Street', exact: true })
    await link.waitFor()
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Harbour Street')
    await page.keyboard.press('Escape')
    await link.waitFor({ state: 'detached' })
    assert.match(String(await page.evaluate('document.activeElement.title')), /^Harbour Street/)
  })

  await t.test('from the list: its place opens on the map', async t => {
    const { page } = await show(t, browser, `${origin}/map`)
    await movable(page)
    await page.getByRole('link', { name: 'Show Fire Station on the map' }).click()
    await page.locator('.leaflet-popup').getByText('Fire Station').waitFor()
    assert.equal(page.url(), `${origin}/map`)
  })

  await t.test('a link that opens at a place', async t => {
    const { page } = await show(t, browser, `${origin}/map?place=defibrillators/${DEFIBRILLATORS[0]?.id}`)
    await page.locator('.leaflet-popup').getByText('Fire Station').waitFor()
  })

  await t.test('without scripts: a form, a drawing and the list', async t => {
    const { page } = await show(t, browser, `${origin}/map`, { javaScriptEnabled: false })
    await page.getByLabel('Defibrillators', { exact: true }).check()
    await page.getByLabel('Parish', { exact: true }).selectOption('St. Helier')
    await page.getByRole('button', { name: 'Show' }).click()
    assert.deepEqual(await page.locator('.place-row-text > a').allInnerTexts(), ['Fire Station'])
    assert.equal(await page.locator('svg.island use').count(), 1)
    assert.equal(await page.getByRole('button', { name: 'Nearest to me' }).count(), 0)
  })

  await t.test('a count that cannot be renewed is taken away', async t => {
    const { page } = await show(t, browser, 'about:blank')
    await page.clock.install()
    await page.goto(`${origin}/map?dataset=carparks`)
    await movable(page)
    assert.match(await page.locator('#places').innerText(), /332 spaces free/)
    await app.close()
    await until(async () => {
      await page.clock.runFor(MINUTE_MS)
      return (await page.getByText('We could not update the free spaces').count()) === 1
    }, 'the page saying that it is out of date')
    assert.doesNotMatch(await page.locator('body').innerText(), /332/)
    assert.equal(await page.locator('.map-place b').count(), 0)
  })
})

test('nothing in a name runs, on the map and in its windows', { skip: NO_CHROMIUM }, async t => {
  const toilets = [{ ...TOILETS[0], name: EVIL }]
  const { origin } = await serve(t, { ...ISLAND, toilets })
  const { page, faults } = await show(
    t,
    await startChromium(t),
    `${origin}/map?place=toilets/${TOILETS[0]?.id}`,
  )
  await page.locator('.leaflet-popup').getByText(EVIL).waitFor()
  assert.equal(await page.evaluate('window.ran'), undefined)
  assert.equal(await page.locator('img').count(), 0)
  assert.deepEqual(faults, [])
})

test('tiles come from the host that the operator names, and from no other', {
  skip: NO_CHROMIUM,
}, async t => {
  const { origin } = await serve(t, ISLAND, { MAP_TILE_URL: 'https://tile.example.org/{z}/{x}/{y}.png' })
  const { page, faults } = await show(t, await startChromium(t), 'about:blank')
  const referrers: (string | undefined)[] = []
  await page.route('https://tile.example.org/**', async route => {
    referrers.push((await route.request().allHeaders()).referer)
    await route.fulfill({ path: 'dist/web/icon-192.png' })
  })
  await page.goto(`${origin}/map`)
  await page.locator('.leaflet-tile-loaded').first().waitFor()
  assert.deepEqual([...new Set(referrers)], [`${origin}/`])
  const others = faults.filter(
    fault => !/^asked (https:\/\/tile\.example\.org|http:\/\/127\.0\.0\.1)/.test(fault),
  )
  assert.deepEqual(others, [])
})

test("streets come from the operator's file, in the colours of the page", { skip: NO_CHROMIUM }, async t => {
  const MAP_FILE = join(await emptyFolder(t), 'island.pmtiles')
  await writeFile(MAP_FILE, packMapFile())
  const { origin } = await serve(t, ISLAND, { MAP_FILE })
  const { page, faults } = await show(t, await startChromium(t), `${origin}/map`)
  const tile = page.locator('canvas.leaflet-tile-loaded').first()
  await tile.waitFor()
  /** The colours of a tile, and that of land on this page. */
  const colors = () => page.evaluate<{ all: string[]; land: string }>(COLORS)
  const light = await colors()
  assert.ok(light.all.includes(light.land), `land is ${light.land}`)
  assert.ok(light.all.length > 2, 'there are streets')
  await page.emulateMedia({ colorScheme: 'dark' })
  await until(async () => {
    const { all, land } = await colors()
    return land !== light.land && all.includes(land) && !all.includes(light.land)
  }, 'the dark colours')
  assert.equal(await page.locator('.map-island, .map-label, .map-streets').count(), 0)
  assert.deepEqual(faults, [])
})

test('without streets the outline and a link to a map that has some', { skip: NO_CHROMIUM }, async t => {
  const MAP_FILE = join(await emptyFolder(t), 'island.pmtiles')
  await writeFile(MAP_FILE, packMapFile())
  const { origin } = await serve(t, ISLAND, { MAP_FILE })
  const { page } = await show(t, await startChromium(t), 'about:blank', { serviceWorkers: 'block' })
  await page.route('**/map.pmtiles', route => route.abort())
  await page.goto(`${origin}/map`)
  await movable(page)
  await page.locator('.map-island').waitFor()
  const link = page.getByRole('link', { name: 'Open this area on a map with streets' })
  assert.equal(await link.isVisible(), false)
  await page.goto(`${origin}/map?place=toilets/${TOILETS[0]?.id}`)
  await link.waitFor()
  assert.match(
    String(await link.getAttribute('href')),
    /^https:\/\/www\.openstreetmap\.org\/#map=1[5-7]\/49\.\d+\/-2\.\d+$/,
  )
})

test('no name of a parish lies on the coast or on another name', { skip: NO_CHROMIUM }, async t => {
  const parishes = ['St. Ouen', 'St. Mary', 'St. John', 'Trinity', 'St. Martin', 'Grouville', 'St. Clement']
  // Along the coast, where a name over its place would lie on it.
  const toilets = parishes.map((parish, at) => ({
    ...TOILETS[0],
    ...{ id: `coast-${at}`, parish, latitude: 49.245 - at * 0.012, longitude: -2.24 + at * 0.035 },
  }))
  const { origin } = await serve(t, { ...ISLAND, toilets })
  const browser = await startChromium(t)
  for (const options of WINDOWS) {
    const { page } = await show(t, browser, `${origin}/map`, options)
    await movable(page)
    const boxes = await page.locator('.map-label span:visible').evaluateAll(labels =>
      labels.map(label => {
        const { left, right, top, bottom } = label.getBoundingClientRect()
        return { name: label.textContent, left, right, top, bottom }
      }),
    )
    assert.ok(boxes.length > 1, `${boxes.length} names`)
    const coast = await page.evaluate<typeof boxes>(COAST)
    for (const box of boxes)
      for (const other of [...boxes, ...coast]) {
        const isApart =
          other === box ||
          other.right < box.left ||
          other.left > box.right ||
          other.bottom < box.top ||
          other.top > box.bottom
        assert.ok(isApart, `${box.name} at ${viewportOf(options)}: ${JSON.stringify([box, other])}`)
      }
  }
})

/** The colours of the first tile, and that of land. */
const COLORS = `(() => {
  const canvas = document.querySelector('canvas.leaflet-tile-loaded')
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  const all = new Set()
  for (let at = 0; at < data.length; at += 4) all.add('rgb(' + [...data.slice(at, at + 3)].join(', ') + ')')
  const probe = document.body.appendChild(document.createElement('span'))
  probe.style.color = 'var(--land)'
  return { all: [...all], land: getComputedStyle(probe).color }
})()`

/** Points along the coast, on the screen. */
const COAST = `(() => {
  const path = document.querySelector('path.map-island')
  return Array.from({ length: path.getTotalLength() }, (_, at) => {
    const { x, y } = path.getPointAtLength(at).matrixTransform(path.getScreenCTM())
    return { left: x, right: x, top: y, bottom: y }
  })
})()`

const viewportOf = ({ viewport }: (typeof WINDOWS)[number]) => viewport.width
