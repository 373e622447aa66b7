import type { TestContext } from 'node:test'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { installedProgram } from './programs.ts'
import { until } from './until.ts'

/** The first has no window system and takes half the processor time. */
const BINARY = installedProgram('chromium-headless-shell', 'chromium')

/** Why tests that need a browser are skipped; false where they need not be. */
export const NO_CHROMIUM: string | false =
  BINARY === undefined && 'no Chromium here: `apt-get install chromium-headless-shell`'

/**
 * Starts Debian's Chromium without a window. It ends with the test. As Playwright starts it, it sends nothing of its own accord,
 * and has no sandbox, which root may not use.
 */
export async function startChromium(t: TestContext): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: BINARY ?? '' })
  t.after(() => browser.close())
  return browser
}

/** A page that is being shown, with all that it did wrong. */
export interface ShownPage {
  readonly page: Page
  /** Errors of scripts and of loading, violations of the Content-Security-Policy, requests to other hosts. */
  readonly faults: readonly string[]
}

/** Opens an address in a window without cookies or a cache; it closes with the test. */
export async function show(
  t: TestContext,
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<ShownPage> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  t.after(() => context.close())
  const page = await context.newPage()
  const faults: string[] = []
  const { host } = new URL(url)
  page.on('pageerror', error => faults.push(error.message))
  // Chromium writes violations of the policy there too.
  page.on('console', message => message.type() === 'error' && faults.push(message.text()))
  page.on('request', request => {
    const asked = new URL(request.url())
    if (asked.host !== host && asked.protocol !== 'data:') faults.push(`asked ${request.url()}`)
  })
  await page.goto(url)
  return { page, faults }
}

/**
 * Waits until an expression of the page is true. Playwright's own wait evaluates the second time by `eval`, which the policy of
 * the pages forbids.
 */
export const untilTrue = (page: Page, expression: string) =>
  until(() => page.evaluate<boolean>(expression), expression)

/** What axe has against the page, or the page in a frame, as it is now, one line for each rule and element. */
export async function axeViolations(page: Pick<Page, 'evaluate'>): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${impact} ${id}: ${target.join(' ')}: ${failureSummary}`),
  )
}
