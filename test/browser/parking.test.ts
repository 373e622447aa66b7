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
const CURRENT = /^Updates automatically$/
const OLD = /^Not updated since \d\d:\d\d\. You may be offline, or the service may be down/

const counted = (spaces: number, minutesAgo: number): Observation => ({
  timestamp: new Date(Date.now() - minutesAgo * MINUTE_MS).toISOString(),
  entries: [{ code: 'HARBST', name: 'Harbour Street', spaces, open: true, status: 'good' }],
})

const serve = (t: TestContext) => build(t, { carparks: CARPARKS }, { observation: counted(332, 3) })

const state = (page: Page) => page.locator('#state').innerText()
/** What stands in the place of the number. */
const free = (page: Page) => page.locator('.free').first().innerText()

/** Waits until the page says something; fails with what it says. */
async function says(page: Page, text: RegExp) {
  await until(async () => text.test(await state(page)), String(text)).catch(async error => {
    throw new Error(`${error.message}; it says ${await state(page)}`)
  })
}

const shows = (page: Page, text: RegExp) =>
  until(async () => text.test(await free(page)), String(text)).catch(async error => {
    throw new Error(`${error.message}; it shows ${await free(page)}`)
  })

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

for (const path of ['/parking', '/parking/HARBST'])
  test(`${path} never shows an old count as a new one`, { skip: NO_CHROMIUM }, async t => {
    const first = await serve(t)
    const port = await listen(first.app)
    const browser = await startChromium(t)
    const { page } = await show(t, browser, 'about:blank', { colorScheme: 'dark' })
    await page.clock.install()
    await page.goto(`http://127.0.0.1:${port}${path}`)
    await says(page, CURRENT)

    await t.test('it takes new counts without being loaded again, as soon as there are any', async () => {
      await page.evaluate('window.sameWindow = true')
      await first.observe(counted(331, 1))
      await shows(page, /^331\s+free of 606$/)
      assert.equal(await page.evaluate('window.sameWindow'), true)
    })

    await t.test('counts are not old because the clock of the device is wrong', async () => {
      await page.clock.fastForward(THRESHOLDS.staleAfterMs + MINUTE_MS)
      await first.observe(counted(330, 0))
      await shows(page, /^330\s+free of 606$/)
      await page.clock.runFor(MINUTE_MS)
      await shows(page, /^330\s+free of 606$/)
      await says(page, CURRENT)
    })

    await t.test('once the service is away, they are marked as old', async () => {
      await first.app.close()
      await says(page, OLD)
      assert.match(await free(page), /^330\s+free of 606 at \d\d:\d\d$/)
      assert.deepEqual(await axeViolations(page), [])
    })

    await t.test('and then removed, when the service would hold them stale', async () => {
      await page.clock.runFor(THRESHOLDS.staleAfterMs + MINUTE_MS)
      await shows(page, /^not known$/)
      // The table of the day keeps what was counted in its quarters.
      assert.equal(await page.locator('#counts').getByText('330').count(), 0)
    })

    await t.test(
      'a network that answers with a page of its own, or not at all, changes nothing',
      async () => {
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
          assert.equal(await free(page), 'not known')
        }
      },
    )

    await t.test('when the service is back, the page is too', async () => {
      const second = await serve(t)
      await second.app.listen({ host: '127.0.0.1', port })
      await until(async () => {
        await page.clock.runFor(MINUTE_MS)
        return CURRENT.test(await state(page))
      }, 'the page being current')
      await shows(page, /^332\s+free of 606$/)
      await second.observe(counted(329, 0))
      await until(async () => {
        await page.clock.runFor(MINUTE_MS)
        return /^329/.test(await free(page))
      }, 'the count after the service was away')
    })

    await t.test('a device that slept marks its counts before it asks for new ones', async () => {
      // What is drawn before the answer to any request can be.
      const waking = `(async () => {
        dispatchEvent(new Event('pageshow'))
        for (let turn = 0; turn < 5; turn++) await undefined
        return document.querySelector('#state').textContent
      })()`
      // An answer under way tells the page that it has not slept: then it is put to sleep again.
      await until(async () => {
        const asleep = Number(await page.evaluate('Date.now()'))
        await page.clock.setSystemTime(asleep + 2 * 60 * MINUTE_MS)
        return OLD.test(String(await page.evaluate(waking)))
      }, 'the counts being marked')
      await says(page, CURRENT)
    })
  })

test('the network being cut once and back leaves the page current', { skip: NO_CHROMIUM }, async t => {
  const { app, observe } = await serve(t)
  const url = `http://127.0.0.1:${await listen(app)}/parking`
  const browser = await startChromium(t)
  const { page } = await show(t, browser, url)
  await says(page, CURRENT)
  await page.context().setOffline(true)
  await page.evaluate("dispatchEvent(new Event('pageshow'))")
  await says(page, OLD)
  await page.getByRole('button', { name: 'Try again now' }).click()
  await says(page, OLD)
  await observe(counted(300, 0))
  await page.context().setOffline(false)
  await says(page, CURRENT)
  await shows(page, /^300/)
  await observe(counted(299, 0))
  await shows(page, /^299/)
})

test('an answer that somebody has kept is taken for none', { skip: NO_CHROMIUM }, async t => {
  const { app } = await serve(t)
  const url = `http://127.0.0.1:${await listen(app)}/parking`
  const browser = await startChromium(t)
  const { page } = await show(t, browser, url)
  await says(page, CURRENT)
  const hourAgo = new Date(Date.now() - 60 * MINUTE_MS).toUTCString()
  await page.route('**/v1/**', async route => {
    if (route.request().url().endsWith('/stream')) return route.abort()
    const response = await route.fetch()
    return route.fulfill({ response, headers: { ...response.headers(), date: hourAgo } })
  })
  await page.evaluate("dispatchEvent(new Event('pageshow'))")
  await says(page, OLD)
  await page.unroute('**/v1/**')
  await page.evaluate("dispatchEvent(new Event('pageshow'))")
  await says(page, CURRENT)
})

test('without scripts the page of free spaces says when it was counted', { skip: NO_CHROMIUM }, async t => {
  const { app } = await serve(t)
  const url = `http://127.0.0.1:${await listen(app)}/parking`
  const browser = await startChromium(t)
  const { page } = await show(t, browser, url, { javaScriptEnabled: false })
  assert.equal(await state(page), 'This page does not update automatically. Get the latest counts')
  assert.match(await page.locator('#counts p').first().innerText(), /^Counted on \w+ \d+ \w+ at \d\d:\d\d\.$/)
  await page.getByRole('link', { name: 'Get the latest counts' }).click()
  await page.waitForURL(url)
  await page.goto(`${url}/HARBST`)
  assert.equal(await page.locator('.day-table').isVisible(), true)
  assert.equal(await page.locator('.plot').isVisible(), true)
  assert.equal(await page.locator('.readout').isVisible(), false, 'nothing answers to a pointer')
})
