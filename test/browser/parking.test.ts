import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { THRESHOLDS } from '../../src/parking/quality/thresholds.ts'
import type { Observation } from '../../src/store/store.ts'
import { axeViolations, NO_CHROMIUM, show, startChromium } from '../support/chromium.ts'
import { CARPARKS } from '../support/island.ts'
import { listen } from '../support/raw-http.ts'
import { build } from '../support/service.ts'
import { until } from '../support/until.ts'

const MINUTE_MS = 60_000
const OLD = /^Not updated since \d\d:\d\d: this device is offline, or the service does not respond/

const counted = (spaces: number, minutesAgo: number): Observation => ({
  timestamp: new Date(Date.now() - minutesAgo * MINUTE_MS).toISOString(),
  entries: [{ code: 'HARBST', name: 'Harbour Street', spaces, open: true, status: 'good' }],
})

const serve = (t: TestContext) => build(t, { carparks: CARPARKS }, { observation: counted(332, 3) })

const state = (page: Page) => page.locator('#state').innerText()
const heading = (page: Page) => page.locator('th').nth(1).innerText()
const cell = (page: Page) => page.locator('td').first().innerText()

/** Waits until the page says something; fails with what it says. */
async function says(page: Page, text: RegExp) {
  await until(async () => text.test(await state(page)), String(text)).catch(async error => {
    throw new Error(`${error.message}; it says ${await state(page)}`)
  })
}

/** Lets minutes pass until the page has a new count: the service writes its pages anew once a second at most. */
async function takes(page: Page, count: string) {
  await until(async () => {
    await page.clock.runFor(MINUTE_MS)
    return (await cell(page)) === count
  }, 'the new count')
}

/** Has something else answer every request to a port, or with an empty text not answer. */
async function answerAt(port: number, answer: string) {
  const sockets: Socket[] = []
  let requests = 0
  const server = createServer(socket => {
    sockets.push(socket.on('error', () => {}))
    socket.on('data', () => {
      requests++
      if (answer !== '') socket.end(answer)
    })
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    requests: () => requests,
    async end() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

test('the page of free spaces never shows an old count as a new one', { skip: NO_CHROMIUM }, async t => {
  const first = await serve(t)
  const port = await listen(first.app)
  const browser = await startChromium(t)
  const { page } = await show(t, browser, 'about:blank', { colorScheme: 'dark' })
  await page.clock.install()
  await page.goto(`http://127.0.0.1:${port}/parking`)
  await says(page, /^This page updates every minute\.$/)

  await t.test('it takes new counts without being loaded again', async () => {
    await first.observe(counted(331, 1))
    await page.evaluate('window.sameWindow = true')
    await takes(page, '331')
    assert.equal(await heading(page), 'Free now')
    assert.equal(await page.evaluate('window.sameWindow'), true)
  })

  await t.test('counts are not old because the clock of the device is wrong', async () => {
    await first.observe(counted(330, 0))
    await page.clock.fastForward(THRESHOLDS.staleAfterMs + MINUTE_MS)
    await takes(page, '330')
    assert.match(await state(page), /^This page updates/)
  })

  await t.test('once the service is away, they are marked as old', async () => {
    await first.app.close()
    await page.clock.runFor(MINUTE_MS)
    await says(page, OLD)
    assert.match(await heading(page), /^Free at \d\d:\d\d$/)
    assert.equal(await cell(page), '330')
    assert.deepEqual(await axeViolations(page), [])
  })

  await t.test('and then removed, when the service would hold them stale', async () => {
    await page.clock.runFor(THRESHOLDS.staleAfterMs)
    await until(async () => (await cell(page)) === 'not known', 'the count being removed')
    assert.equal(await heading(page), 'Free now')
    assert.equal(await page.getByText('330').count(), 0)
  })

  await t.test('a network that answers with a page of its own, or not at all, changes nothing', async () => {
    const login =
      'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n<p>Accept our terms</p>'
    for (const answer of [login, '']) {
      const other = await answerAt(port, answer)
      await until(async () => {
        await page.clock.runFor(MINUTE_MS)
        return other.requests() > 1
      }, 'the page trying again')
      await other.end()
      assert.match(await state(page), OLD)
      assert.equal(await cell(page), 'not known')
    }
  })

  await t.test('when the service is back, the page is too', async () => {
    const second = await serve(t)
    await second.app.listen({ host: '127.0.0.1', port })
    await page.evaluate('dispatchEvent(new Event("online"))')
    await page.clock.runFor(MINUTE_MS)
    await says(page, /^This page updates/)
    assert.deepEqual([await heading(page), await cell(page)], ['Free now', '332'])
  })

  await t.test('a device that slept marks its counts before it asks for new ones', async () => {
    await page.clock.setSystemTime(Date.now() + 2 * 60 * MINUTE_MS)
    const waking = "dispatchEvent(new Event('pageshow')); document.querySelector('#state').textContent"
    assert.match(String(await page.evaluate(waking)), OLD)
    await says(page, /^This page updates/)
  })
})

test('without scripts the page of free spaces says when it was counted', { skip: NO_CHROMIUM }, async t => {
  const { app } = await serve(t)
  const url = `http://127.0.0.1:${await listen(app)}/parking`
  const browser = await startChromium(t)
  const { page } = await show(t, browser, url, { javaScriptEnabled: false })
  assert.equal(await state(page), 'This page does not update by itself: load the newest counts.')
  assert.match(await page.locator('#counts p').innerText(), /^Counted on \w+ \d+ \w+ at \d\d:\d\d\.$/)
  await page.getByRole('link', { name: 'load the newest counts' }).click()
  await page.waitForURL(url)
})
