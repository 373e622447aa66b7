import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_CHROMIUM, show, startChromium } from '../support/chromium.ts'
import { ISLAND, OBSERVATION } from '../support/island.ts'
import { PHONE, WINDOWS } from '../support/page-checks.ts'
import { listen } from '../support/raw-http.ts'
import { build } from '../support/service.ts'

test('the whole service is searched by keyboard alone', { skip: NO_CHROMIUM }, async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVATION })
  const origin = `http://127.0.0.1:${await listen(app)}`
  const browser = await startChromium(t)
  const [phone, desktop] = WINDOWS

  for (const options of [phone, desktop])
    await t.test(`${options.viewport.width} wide, without scripts`, async t => {
      const { page, faults } = await show(t, browser, `${origin}/status`, {
        ...options,
        javaScriptEnabled: false,
      })
      const isPhone = options.viewport === PHONE
      const search = isPhone
        ? page.getByRole('link', { name: 'Search' })
        : page.getByRole('searchbox', { name: 'Search the whole service' })
      await search.waitFor()
      const isFocused = () => search.evaluate(element => element === element.ownerDocument.activeElement)
      for (let pressed = 0; pressed < 20 && !(await isFocused()); pressed++) await page.keyboard.press('Tab')
      if (isPhone) {
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor()
      }
      await page.keyboard.type('pier')
      await page.keyboard.press('Enter')
      await page.getByText('results for “pier”').waitFor()
      const found = page
        .getByRole('region', { name: /^Toilets/ })
        .getByRole('link', { name: 'Pier', exact: true })
      await found.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Pier', level: 1 }).waitFor()
      assert.deepEqual(faults, [])
    })

  await t.test('with text of twice the size the header leaves two thirds of a phone', async t => {
    const { page } = await show(t, browser, `${origin}/search?q=pier`, { viewport: PHONE })
    const session = await page.context().newCDPSession(page)
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
    const height = await page.locator('.site-header').evaluate(({ clientHeight }) => clientHeight)
    assert.ok(height < PHONE.height / 3, `${height}`)
  })
})
