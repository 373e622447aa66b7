import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core'
import type { Observation } from '../../src/store/store.ts'
import { axeViolations, NO_CHROMIUM, startChromium } from '../support/chromium.ts'
import { ISLAND } from '../support/island.ts'
import { PHONE } from '../support/page-checks.ts'
import { listen } from '../support/raw-http.ts'
import { build } from '../support/service.ts'
import { until } from '../support/until.ts'

const counted = (spaces: number, secondsAgo = 0): Observation => ({
  timestamp: new Date(Date.now() - secondsAgo * 1000).toISOString(),
  entries: [{ code: 'HARBST', name: 'Harbour Street', spaces, open: true, status: 'good' }],
})

const EMBEDS = ['/embed/parking', '/embed/parking/HARBST', '/embed/recalls', '/embed/vehicles']
/** Lower than any embed. */
const HEIGHT = 100

interface Host {
  readonly page: Page
  readonly faults: readonly string[]
  /** What a frame shows, and the height that it has in the page. */
  frame(path: string): Promise<{ frame: Frame; height(): Promise<number> }>
}

interface HostOptions {
  readonly paths: readonly string[]
  readonly isScripted?: boolean
  /** More of the page's HTML. */
  readonly lines?: string
  readonly headers?: Record<string, string>
  readonly window?: BrowserContextOptions
}

/** Opens a page of another origin that has embeds of a service in frames. */
async function openHost(
  t: TestContext,
  browser: Browser,
  service: string,
  { paths, isScripted = true, lines = '', headers = {}, window }: HostOptions,
): Promise<Host> {
  const frames = paths.map(
    path => `<iframe src="${service}${path}" title="${path}" width="100%" height="${HEIGHT}"></iframe>`,
  )
  const script = isScripted ? `<script async src="${service}/embed.js"></script>` : ''
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers })
    response.end(
      `<!doctype html><html lang="en"><title>A parish</title><h1>A parish</h1>${frames.join('')}${lines}${script}`,
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const context = await browser.newContext({ reducedMotion: 'reduce', ...window })
  t.after(async () => {
    await context.close()
    server.close()
  })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', error => faults.push(error.message))
  page.on('console', message => message.type() === 'error' && faults.push(message.text()))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  page.on('request', request => {
    const asked = new URL(request.url()).origin
    if (asked !== origin && asked !== service) faults.push(`asked ${request.url()}`)
  })
  await page.goto(origin)
  return {
    page,
    faults,
    async frame(path) {
      const element = await page.waitForSelector(`iframe[title="${path}"]`)
      const frame = await element.contentFrame()
      assert.ok(frame)
      // Browsers draw, and so measure, only what is in sight.
      await element.scrollIntoViewIfNeeded()
      return { frame, height: async () => (await element.boundingBox())?.height ?? 0 }
    },
  }
}

const serve = async (t: TestContext, environment: Record<string, string> = {}) => {
  const { app, observe } = await build(t, ISLAND, {
    observation: counted(332, 30),
    synthetic: true,
    environment,
  })
  return { service: `http://127.0.0.1:${await listen(app)}`, observe }
}

const contentHeight = (frame: Frame) => frame.evaluate('document.documentElement.scrollHeight').then(Number)

async function fits({ frame, height }: Awaited<ReturnType<Host['frame']>>): Promise<boolean> {
  const inside = await contentHeight(frame)
  return inside > HEIGHT && Math.abs((await height()) - inside) <= 5
}

test('a page of another origin shows embeds: whole, readable, and with new counts', {
  skip: NO_CHROMIUM,
}, async t => {
  const { service, observe } = await serve(t)
  const browser = await startChromium(t)
  for (const [index, window] of [
    { colorScheme: 'light', viewport: PHONE },
    { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  ].entries()) {
    const host = await openHost(t, browser, service, {
      paths: EMBEDS,
      window: window as BrowserContextOptions,
    })
    for (const path of EMBEDS) {
      const shown = await host.frame(path)
      const { frame } = shown
      await frame.getByText('Synthetic island').waitFor()
      if (path.startsWith('/embed/parking')) await frame.getByText('Updates automatically').waitFor()
      await until(() => fits(shown), `${path} being as high as its frame`)
      assert.equal(await frame.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, path)
      assert.deepEqual(await axeViolations(frame), [], path)
      const ground = await frame.evaluate('getComputedStyle(document.body).backgroundColor')
      assert.equal(ground, index === 0 ? 'rgb(255, 255, 255)' : 'rgb(20, 24, 29)', path)
      assert.equal(await frame.evaluate('document.cookie'), '')
    }
    await observe(counted(331 - index))
    for (const path of EMBEDS.slice(0, 2)) {
      const { frame } = await host.frame(path)
      await until(
        async () => (await frame.locator('.free strong').innerText()) === String(331 - index),
        `the new count in ${path}`,
      )
    }
    const { frame } = await host.frame('/embed/parking')
    const opened = host.page.waitForEvent('popup')
    await frame.getByRole('link', { name: 'Harbour Street' }).click()
    const whole = await opened
    await whole.waitForURL(`${service}/parking/HARBST`)
    assert.equal(await whole.evaluate('opener'), null)
    assert.deepEqual(host.faults, [])
  }
})

test('the frame of an embed grows and shrinks with it, also if the script comes late', {
  skip: NO_CHROMIUM,
}, async t => {
  const { service } = await serve(t)
  const browser = await startChromium(t)
  const [path = ''] = EMBEDS
  const host = await openHost(t, browser, service, { paths: [path], isScripted: false })
  const shown = await host.frame(path)
  await shown.frame.getByText('Updates automatically').waitFor()
  assert.ok((await shown.height()) < HEIGHT + 10, 'without the script it keeps its height')
  assert.ok((await contentHeight(shown.frame)) > HEIGHT, 'and scrolls')
  await host.page.addScriptTag({ url: `${service}/embed.js` })
  await until(() => fits(shown), 'the frame being as high as the page in it')
  const first = await shown.height()
  await shown.frame.evaluate("document.querySelector('main').style.paddingBottom = '300px'")
  await until(async () => (await shown.height()) > first + 250, 'the frame having grown')
  await shown.frame.evaluate("document.querySelector('main').style.paddingBottom = ''")
  await until(async () => (await shown.height()) === first, 'the frame having shrunk')

  // Only the service gives heights, and no absurd ones.
  const say = (height: string) => `postMessage({ type: 'public-data-embed-height', height: ${height} }, '*')`
  await host.page.evaluate(say('900'))
  for (const height of ['1e9', 'NaN', '"500"', '-1', '0']) await shown.frame.evaluate(`parent.${say(height)}`)
  await shown.frame.evaluate(`parent.${say('777')}`)
  await until(async () => Math.abs((await shown.height()) - 777) < 6, 'the one message that counts')
  await host.page.evaluate(say('900'))
  assert.ok((await shown.height()) < 790)
})

test('a site that is isolated from other origins may show embeds', { skip: NO_CHROMIUM }, async t => {
  const { service } = await serve(t)
  const browser = await startChromium(t)
  const headers = {
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-opener-policy': 'same-origin',
  }
  const host = await openHost(t, browser, service, { paths: EMBEDS, headers })
  assert.equal(await host.page.evaluate('crossOriginIsolated'), true)
  for (const path of EMBEDS) await until(async () => fits(await host.frame(path)), path)
  assert.deepEqual(host.faults, [])
})

test('a frame shows what is wrong, and no other page of the service', { skip: NO_CHROMIUM }, async t => {
  const { service } = await serve(t, { UNAVAILABLE_DATASETS: 'product-recalls' })
  const browser = await startChromium(t)
  const told = {
    '/embed/parking/NOWHERE': 'No car park with a live counter has this address.',
    '/embed/nothing': 'Page not found',
    '/embed/recalls': 'taken out of service by the operator',
  }
  const host = await openHost(t, browser, service, { paths: [...Object.keys(told), '/parking'] })
  for (const [path, words] of Object.entries(told)) {
    const shown = await host.frame(path)
    await shown.frame.getByText(words).waitFor()
    await until(() => fits(shown), path)
    assert.deepEqual(await axeViolations(shown.frame), [], path)
  }
  const { frame } = await host.frame('/parking')
  await until(() => frame.url().startsWith('chrome-error:'), 'the page being refused')
})

test('the lines for a site are copied from the page, and show it there', { skip: NO_CHROMIUM }, async t => {
  const { service } = await serve(t)
  const browser = await startChromium(t)
  for (const path of ['/parking', '/parking/HARBST', '/recalls', '/vehicles?make=ford']) {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
    t.after(() => context.close())
    const page = await context.newPage()
    await page.goto(service + path)
    await page.getByText('Put this on your own site').click()
    await page.getByRole('button', { name: 'Copy the lines' }).click()
    await page.getByText('Copied').waitFor()
    const copied = String(await page.evaluate('navigator.clipboard.readText()'))
    const lines = copied.replaceAll('http://data.example', service)
    assert.deepEqual(await axeViolations(page), [], path)
    const host = await openHost(t, browser, service, { paths: [], isScripted: false, lines })
    const element = await host.page.waitForSelector('iframe')
    const frame = await element.contentFrame()
    assert.ok(frame)
    await until(async () => (await element.boundingBox())?.height === (await contentHeight(frame)), path)
    assert.ok(frame.url().endsWith(`/embed${path}`))
  }
})
