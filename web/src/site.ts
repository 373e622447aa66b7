import type { Site } from '../../src/interfaces/web/explorer.ts'
import { setBaseUrl } from './address.ts'

/** The facts about the service: set before a page is rendered, and read from the document by its scripts. */
export let site: Site

/** Sets the facts about the service. */
export function setSite(facts: Site): void {
  site = facts
  setBaseUrl(facts.baseUrl)
}

// A service worker has no document, and needs no facts.
const { document } = globalThis as {
  document?: { getElementById(id: string): { textContent: string | null } | null }
}
const told = document?.getElementById('site')?.textContent
if (typeof told === 'string') setSite(JSON.parse(told))
