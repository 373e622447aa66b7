import { hydrate } from 'preact'
import type { Page } from '../page.ts'
import { site } from '../site.ts'

/** Takes over a page in the browser, from the data that the service rendered it with. */
export function hydratePage({ View }: Page): void {
  const main = document.getElementById('main')
  const text = document.getElementById('data')?.textContent
  if (main === null || typeof text !== 'string') return
  hydrate(<View data={JSON.parse(text)} site={site} />, main)
}
