import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PROBLEMS, type ProblemCode } from '../../src/errors.ts'
import { problemPath } from '../../src/http/problems.ts'
import { NO_CHROMIUM, show, startChromium } from '../support/chromium.ts'
import { CARPARKS, ISLAND, OBSERVATION } from '../support/island.ts'
import { faultsOf, PHONE, WINDOWS } from '../support/page-checks.ts'
import { listen } from '../support/raw-http.ts'
import { build } from '../support/service.ts'

test('pages are accessible, run no script but their own and fit a phone', { skip: NO_CHROMIUM }, async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVATION, synthetic: true })
  const origin = `http://127.0.0.1:${await listen(app)}`
  const browser = await startChromium(t)
  const problems = (Object.keys(PROBLEMS) as ProblemCode[]).map(problemPath)

  for (const options of WINDOWS) {
    const { colorScheme, viewport } = options
    await t.test(`${colorScheme}, ${viewport.width} wide`, async t => {
      const shown = await show(t, browser, `${origin}/`, options)
      // The pages of problems differ in their texts alone.
      for (const path of [
        '/',
        '/parking',
        '/search',
        '/search?q=st',
        ...problems.slice(0, viewport === PHONE && colorScheme === 'light' ? undefined : 1),
      ]) {
        await shown.page.goto(origin + path)
        assert.deepEqual(await faultsOf(shown), [], path)
      }
    })
  }
})

/** The most that an address loads, in bytes with headers. */
const BUDGETS = {
  ...{ '/embed/parking': 40_000, '/embed/parking/PARK7': 40_000, '/embed/recalls': 40_000 },
  ...{ '/embed/vehicles': 40_000, '/vehicles': 30_000, '/pt/vehicles': 30_000, '/recalls': 30_000 },
  ...{ '/emergency': 50_000, '/fr/emergency': 50_000, '/parking': 80_000, '/pt/parking': 80_000 },
}

test('a first page loads no more than its budget, also with every car park of a town', {
  skip: NO_CHROMIUM,
}, async t => {
  const codes = Array.from({ length: 40 }, (_, index) => `PARK${index}`)
  const carparks = codes.map((code, index) => {
    const id = `${CARPARKS[0]?.id.slice(0, -2)}${10 + index}`
    return { ...CARPARKS[0], id, name: `Car park ${index}`, liveTrackingCode: code }
  })
  const [entry] = OBSERVATION.entries
  assert.ok(entry)
  const observation = {
    timestamp: new Date().toISOString(),
    entries: codes.map((code, index) => ({ ...entry, code, spaces: 100 + index })),
  }
  const { app } = await build(t, { ...ISLAND, carparks }, { observation, synthetic: true })
  const service = `http://127.0.0.1:${await listen(app)}`
  const browser = await startChromium(t)
  for (const [path, most] of Object.entries(BUDGETS)) {
    const context = await browser.newContext()
    t.after(() => context.close())
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    const addresses = new Map<string, string>()
    const loaded = new Map<string, number>()
    let raw = 0
    session.on('Network.requestWillBeSent', ({ requestId, request }) => {
      addresses.set(requestId, request.url)
    })
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const address = addresses.get(requestId) ?? requestId
      // The first time: the page keeps itself current by the same requests.
      if (!loaded.has(address)) loaded.set(address, encodedDataLength)
    })
    session.on('Network.dataReceived', ({ dataLength }) => {
      raw += dataLength
    })
    await page.goto(service + path)
    if (/^.(?:embed.)?parking/.test(path)) await page.getByText('Updates automatically').waitFor()
    await page.waitForLoadState()
    const wire = [...loaded.values()].reduce((sum, bytes) => sum + bytes, 0)
    t.diagnostic(
      `${path}: ${(wire / 1000).toFixed(1)} kB with headers, ${(raw / 1000).toFixed(1)} kB unpacked`,
    )
    assert.ok(wire > 2000 && wire < most, `${path}: ${wire} bytes`)
  }
})
