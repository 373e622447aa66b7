import { hydrate } from 'preact'
import type { Site } from '../../../src/interfaces/web/explorer.ts'
import type { Page } from '../page.ts'
import { setSite } from '../site.ts'

/** Takes over a page in the browser, from the data that the service rendered it with. */
export function hydratePage({ View }: Page): void {
  const main = document.getElementById('main')
  const text = document.getElementById('data')?.textContent
  if (main === null || typeof text !== 'string') return
  const { data, site } = JSON.parse(text) as { data: unknown; site: Site }
  setSite(site)
  hydrate(<View data={data} site={site} />, main)
}
