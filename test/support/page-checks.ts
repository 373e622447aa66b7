import { axeViolations, type ShownPage } from './chromium.ts'

export const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }

/** Every window in which pages are looked at. */
export const WINDOWS = (['light', 'dark'] as const).flatMap(colorScheme =>
  [PHONE, DESKTOP].map(viewport => ({ colorScheme, viewport })),
)

/** All that is wrong with a page as it is now: what it did so far, what axe has against it, scrolling sideways. */
export async function faultsOf({ page, faults }: ShownPage): Promise<string[]> {
  const width = await page.evaluate('document.documentElement.scrollWidth')
  const scrolling = width === page.viewportSize()?.width ? [] : [`it is ${width} wide`]
  return [...faults, ...scrolling, ...(await axeViolations(page))]
}
