import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { NO_CHROMIUM, show, startChromium } from '../support/chromium.ts'
import { ISLAND, OBSERVATION } from '../support/island.ts'
import { faultsOf, WINDOWS } from '../support/page-checks.ts'
import { listen } from '../support/raw-http.ts'
import { build } from '../support/service.ts'

/** Opens an operation, and its form. */
async function open(page: Page, id: string) {
  const operation = page.locator(`#operations-${id}`)
  await operation.locator('.opblock-summary-control').click()
  await operation.getByRole('button', { name: 'Try it out' }).click()
  return operation
}

test('the documentation is accessible with an operation open', { skip: NO_CHROMIUM }, async t => {
  // Its address for others is another.
  const { app } = await build(t, ISLAND, { observation: OBSERVATION })
  const url = `http://127.0.0.1:${await listen(app)}/docs`
  const browser = await startChromium(t)

  for (const options of WINDOWS) {
    const { colorScheme, viewport } = options
    await t.test(`${colorScheme}, ${viewport.width} wide`, async t => {
      const shown = await show(t, browser, url, options)
      const { page } = shown
      await page.locator('.opblock').first().waitFor()
      assert.deepEqual(await faultsOf(shown), [], 'closed')
      const operation = await open(page, 'vehicles-listVehicles')
      await operation.getByRole('textbox', { name: 'make', exact: true }).fill('ford')
      await operation.getByLabel('match').selectOption('exact')
      await operation.getByRole('button', { name: 'Execute' }).click()
      await operation.locator('.live-responses-table').getByText('FIESTA').waitFor()
      assert.deepEqual(await faultsOf(shown), [], 'with the response of a request')
    })
  }
})
