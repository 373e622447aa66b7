import type { Site } from '../../src/interfaces/web/explorer.ts'
import { setBaseUrl } from './address.ts'

/** True for the demo. Popups of the map need it, and they are rendered apart from the page. */
export let isSynthetic = false

/** Sets the facts about the service that parts of pages use without getting them as properties. */
export function setSite({ baseUrl, synthetic }: Pick<Site, 'baseUrl' | 'synthetic'>): void {
  setBaseUrl(baseUrl)
  isSynthetic = synthetic
}
