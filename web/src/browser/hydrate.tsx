import { hydrate } from 'preact'
import type { Site } from '../../../src/interfaces/web/explorer.ts'
import { setBaseUrl } from '../address.ts'
import type { Page } from '../page.ts'

/** Takes over a page in the browser, from the data that the service rendered it with. */
export function hydratePage({ View }: Page): void {
  const main = document.getElementById('main')
  const text = document.getElementById('data')?.textContent
  if (main === null || typeof text !== 'string') return
  const { data, site } = JSON.parse(text) as { data: unknown; site: Site }
  setBaseUrl(site.baseUrl)
  hydrate(<View data={data} site={site} />, main)
}
