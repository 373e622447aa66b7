import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { NO_CHROMIUM, show, startChromium } from '../support/chromium.ts'
import { history, OBSERVED_NOW, SPACES } from '../support/counted-now.ts'
import { ISLAND } from '../support/island.ts'
import { faultsOf, PHONE, WINDOWS } from '../support/page-checks.ts'
import { listen } from '../support/raw-http.ts'
import { build } from '../support/service.ts'

const QUAY = {
  ...{ ...ISLAND.carparks[1], id: 'c1b0a3de-9a43-4b27-8f5e-0d6d7e8f9a03', name: 'Quay' },
  ...{ liveTrackingCode: 'QUAY', latitude: 49.18, longitude: -2.04, spaces: 100 },
}

const names = (page: Page) => page.locator('.car-park h2').allInnerTexts()

test('islanders find a space, in each window', { skip: NO_CHROMIUM }, async t => {
  const content = { ...ISLAND, carparks: [...ISLAND.carparks, QUAY] }
  const options = { observation: OBSERVED_NOW, history: history(), synthetic: true }
  const { app } = await build(t, content, options)
  const origin = `http://127.0.0.1:${await listen(app)}`
  const browser = await startChromium(t)

  for (const options of WINDOWS) {
    const { colorScheme, viewport } = options
    await t.test(`${colorScheme}, ${viewport.width} wide`, async t => {
      const shown = await show(t, browser, `${origin}/`, options)
      const { page } = shown
      const most = (await page.locator('.most-free').innerText()).replace(/\s+/g, ' ')
      assert.equal(most, `Harbour Street ${SPACES} free of 606 Quay 40 free of 100`)
      assert.deepEqual(await faultsOf(shown), [], 'start page')

      await page.getByRole('link', { name: 'Find a parking space' }).click()
      await page.getByText('Updates automatically').waitFor()
      assert.deepEqual(await names(page), ['Harbour Street', 'Quay'])
      await page.getByLabel('Nearest to a parish').selectOption('Grouville')
      await page.getByRole('button', { name: 'Sort' }).click()
      await page.waitForURL('**/parking?parish=Grouville')
      assert.deepEqual(await names(page), ['Quay', 'Harbour Street'])
      assert.deepEqual(await faultsOf(shown), [], 'list')

      await page.getByRole('link', { name: 'Harbour Street', exact: true }).click()
      await page.locator('.plot').hover({ position: { x: 60, y: 60 } })
      assert.match(await page.locator('.readout').innerText(), /^\d\d:\d\d: (no count|\d+ free), typical /)
      await page.getByText('These numbers as a table').click()
      assert.match(
        await page.getByRole('row', { name: /^10:00/ }).innerText(),
        /^10:00\t[^\t]+\t\d+\t\d+ to \d+$/,
      )
      assert.match(await page.locator('#counts').innerText(), new RegExp(`${SPACES}\\s+free of 606`))
      const nearby = page.locator('.place-row', { hasText: 'Quay' })
      assert.match(await nearby.innerText(), /40 spaces free at \d\d:\d\d/)
      assert.deepEqual(await faultsOf(shown), [], 'car park')
      await nearby.getByRole('link', { name: 'Quay', exact: true }).press('Enter')
      await page.waitForURL('**/parking/QUAY')
    })
  }
})

test('where one is, is asked on a press alone, and a refusal leads to the parishes', {
  skip: NO_CHROMIUM,
}, async t => {
  const content = { ...ISLAND, carparks: [...ISLAND.carparks, QUAY] }
  const { app } = await build(t, content, { observation: OBSERVED_NOW })
  const url = `http://127.0.0.1:${await listen(app)}/parking`
  const browser = await startChromium(t)
  const here = { latitude: 49.180012, longitude: -2.041034 }
  const allowed = await show(t, browser, url, {
    ...{ viewport: PHONE, geolocation: here, permissions: ['geolocation'] },
  })
  await allowed.page.getByRole('button', { name: 'Nearest to me' }).click()
  await allowed.page.waitForURL('**/parking?near=49.180,-2.041')
  assert.deepEqual(await names(allowed.page), ['Quay', 'Harbour Street'])
  assert.match(await allowed.page.locator('.car-park').first().innerText(), /\d0 m away/)
  assert.deepEqual(await faultsOf(allowed), [])

  const { page } = await show(t, browser, url, { viewport: PHONE })
  await page.getByRole('button', { name: 'Nearest to me' }).press('Enter')
  await page.getByText('We could not get your location. Choose a parish.').waitFor()
  assert.equal(await page.evaluate('document.activeElement.id'), 'parish')
})

test('directions open in the phone’s own app, and on the web elsewhere', { skip: NO_CHROMIUM }, async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVED_NOW })
  const url = `http://127.0.0.1:${await listen(app)}/parking/HARBST`
  const browser = await startChromium(t)
  for (const [userAgent, start] of [
    ['Mozilla/5.0 (Linux; Android 14) Chrome/130.0 Mobile', 'geo:49.17793188,-2.10985971?q='],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 'maps:?daddr=49.17793188,-2.10985971'],
    [
      'Mozilla/5.0 (X11; Linux x86_64)',
      'https://www.openstreetmap.org/directions?to=49.17793188%2C-2.10985971',
    ],
  ] as const) {
    const { page } = await show(t, browser, url, { userAgent })
    await page.getByText('Updates automatically').waitFor()
    const href = await page.getByRole('link', { name: 'Directions to Harbour Street' }).getAttribute('href')
    assert.ok(href?.startsWith(start), String(href))
  }
})

test('on paper are the counts and their time, and nothing to press', { skip: NO_CHROMIUM }, async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVED_NOW })
  const origin = `http://127.0.0.1:${await listen(app)}`
  const { page } = await show(t, await startChromium(t), `${origin}/parking`)
  await page.getByText('Updates automatically').waitFor()
  await page.emulateMedia({ media: 'print' })
  assert.match(await page.locator('body').innerText(), new RegExp(`Counted on .*\\s[^]*${SPACES}\\s+free`))
  for (const shown of ['form', 'nav', 'button', '#state'])
    assert.deepEqual(await page.locator(shown).filter({ visible: true }).count(), 0, shown)
})
