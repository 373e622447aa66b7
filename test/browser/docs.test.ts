import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { NO_CHROMIUM, show, startChromium, untilTrue } from '../support/chromium.ts'
import { ISLAND, OBSERVATION } from '../support/island.ts'
import { startUpstream } from '../support/misbehaving-upstream.ts'
import { faultsOf, PHONE, WINDOWS } from '../support/page-checks.ts'
import { listen } from '../support/raw-http.ts'
import { build } from '../support/service.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PAGES = [
  '/docs',
  '/docs?q=cursor',
  '/docs/how-to',
  '/docs/tutorial/first-answers',
  '/docs/reference/live-spaces',
  '/docs/explanation/live-parking-figures',
  '/docs/api',
  '/docs/api/listVehicles',
  '/docs/api/getCarparkForecast',
  '/problems',
  '/problems/invalid-parameter',
  '/status',
  '/accessibility',
  '/docs/how-to/nothing',
]

/** True in the browser if the top of an element is in the window. */
const inView = (selector: string) =>
  `(({ top }) => top >= 0 && top < innerHeight)(document.querySelector('${selector}').getBoundingClientRect())`

/** One page of each kind: in further windows the others differ in their texts alone. */
const KINDS = [
  ...['/docs', '/docs/reference/live-spaces', '/docs/api/listVehicles', '/problems', '/status'],
  '/accessibility',
]

test('documentation, problems and status', { skip: NO_CHROMIUM }, async t => {
  const fresh = { ...OBSERVATION, timestamp: new Date().toISOString() }
  const { app } = await build(t, ISLAND, { observation: fresh, synthetic: true })
  const origin = `http://127.0.0.1:${await listen(app)}`
  const browser = await startChromium(t)

  for (const options of WINDOWS) {
    const { colorScheme, viewport } = options
    await t.test(`are accessible and fit, ${colorScheme}, ${viewport.width} wide`, async t => {
      const shown = await show(t, browser, `${origin}/docs`, options)
      for (const path of options === WINDOWS[0] ? PAGES : KINDS) {
        await shown.page.goto(origin + path)
        // Chromium writes the status of the page itself there too.
        const faults = (await faultsOf(shown)).filter(fault => !fault.includes('404 (Not Found)'))
        assert.deepEqual(faults, [], path)
      }
    })

    await t.test(`an endpoint is tried, ${colorScheme}, ${viewport.width} wide`, async t => {
      const shown = await show(t, browser, `${origin}/docs/api/listVehicles`, options)
      const { page } = shown
      await page.getByRole('textbox', { name: /^make / }).fill('ford')
      await page.getByRole('combobox', { name: /^match / }).selectOption('exact')
      assert.equal(await page.locator('#api-address').innerText(), '/v1/vehicles?make=ford&match=exact')
      assert.match(await page.locator('#api-examples').innerText(), /make=ford&match=exact/)
      await page.getByRole('button', { name: 'Send' }).click()
      const answer = page.getByRole('region', { name: 'Answer' })
      await page.getByRole('status').getByText('Status 200').waitFor()
      for (const seen of ['#api-answer section', '#api-state', '.api-send button'])
        await untilTrue(page, inView(seen))
      assert.match(await answer.innerText(), /"FIESTA"/)
      assert.deepEqual(await faultsOf(shown), [])
      await answer.getByText(/\d+ headers/).click()
      assert.match(await answer.innerText(), /etag/)
    })
  }

  await t.test('an answer that is an error is shown, and one that does not come is said', async t => {
    const { page } = await show(t, browser, `${origin}/docs/api/listVehicles`, { viewport: PHONE })
    await page.getByRole('textbox', { name: /^startDate / }).fill('2023-02-30')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Status 400').waitFor()
    assert.match(await page.locator('#api-answer').innerText(), /INVALID_PARAMETER/)
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('The service does not answer.').waitFor()
  })

  await t.test('a stream shows its first event', async t => {
    const { page } = await show(t, browser, `${origin}/docs/api/followLiveSpaces`)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Status 200').waitFor()
    assert.match(await page.locator('#api-answer').innerText(), /event: snapshot/)
  })

  await t.test('search finds while one types, and by Enter', async t => {
    const { page, faults } = await show(t, browser, `${origin}/docs/reference/headers`, { viewport: PHONE })
    await page.getByLabel('Search the documentation').pressSequentially('notebook')
    await page.getByRole('link', { name: 'Use it in a notebook', exact: true }).first().waitFor()
    await page.getByLabel('Search the documentation').press('Enter')
    await page.waitForURL('**/docs?q=notebook')
    await page.getByRole('region', { name: 'Search results' }).getByRole('link').first().click()
    await page.waitForURL('**/docs/how-to/use-a-notebook')
    assert.deepEqual(faults, [])
  })

  await t.test('everything reads and works without scripts', async t => {
    const { page } = await show(t, browser, `${origin}/docs/api/listVehicles`, { javaScriptEnabled: false })
    await page.getByRole('textbox', { name: /^make / }).fill('ford')
    await page.getByRole('button', { name: 'Send' }).click()
    const link = page.locator('#api-address')
    assert.match(String(await link.getAttribute('href')), /^\/v1\/vehicles\?make=ford/)
    await link.click()
    await page.getByText('"FIESTA"').waitFor()
  })

  await t.test('the status refreshes, and says how old it is when it cannot', async t => {
    const { page } = await show(t, browser, `${origin}/status`)
    await page.locator('.status-counters').getByText('working').waitFor()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Refresh' }).click()
    await page.getByText('We cannot reach the service').waitFor()
    assert.equal(page.url(), `${origin}/status`)
    await page.context().setOffline(false)
    await page.getByRole('link', { name: 'Refresh' }).click()
    await page.getByText('We cannot reach the service').waitFor({ state: 'hidden' })
  })

  await t.test('the map of the guide shows each place', async t => {
    const guide = readFileSync(join(ROOT, 'docs/how-to/make-a-map.md'), 'utf8')
    const [, html = ''] = /```html\n([\s\S]*?)```/.exec(guide) ?? []
    const site = await startUpstream(({ url = '/' }, response) => {
      const isFile = url.startsWith('/node_modules/leaflet/')
      const type = url.endsWith('.css') ? 'text/css' : isFile ? 'text/javascript' : 'text/html'
      response
        .writeHead(200, { 'content-type': type })
        .end(isFile ? readFileSync(join(ROOT, url)) : html.replaceAll('http://127.0.0.1:8080', origin))
    })
    t.after(() => site.close())
    const { page } = await show(t, browser, new URL(site.url).origin)
    await page.locator('path.leaflet-interactive').first().waitFor()
    const { results } = (await app.inject('/v1/toilets')).json() as { results: { latitude: number | null }[] }
    const placed = results.filter(({ latitude }) => latitude !== null)
    assert.equal(await page.locator('path.leaflet-interactive').count(), placed.length)
  })
})
