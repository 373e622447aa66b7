import { axeViolations, type ShownPage } from './chromium.ts'

export const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }

/** The windows in which pages are looked at. Whether dark colours can be read does not depend on the width. */
export const WINDOWS = [
  { colorScheme: 'light', viewport: PHONE },
  { colorScheme: 'light', viewport: DESKTOP },
  { colorScheme: 'dark', viewport: PHONE },
] as const

/** All that is wrong with a page as it is now: what it did so far, what axe has against it, scrolling sideways. */
export async function faultsOf({ page, faults }: ShownPage): Promise<string[]> {
  const scrolling = []
  const session = await page.context().newCDPSession(page)
  // Twice the usual size must fit as well: some people set it in their browser (WCAG 2.2, 1.4.4).
  for (const standard of [32, 16]) {
    await session.send('Page.setFontSizes', { fontSizes: { standard } })
    const width = await page.evaluate('document.documentElement.scrollWidth')
    if (width !== page.viewportSize()?.width)
      scrolling.push(`with text of ${standard} px it is ${width} wide`)
  }
  await session.detach()
  return [...faults, ...scrolling, ...(await axeViolations(page))]
}
