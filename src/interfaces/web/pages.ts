import { SCRIPTED_PAGE_HEADERS } from '../../http/response/default-headers.ts'
import type { Router } from '../../http/routing/router.ts'
import { type CatalogueEntry, lastUpdate } from '../catalogue/entry.ts'
import { addAsset, addPage, addRedirect } from './asset.ts'
import { PARKING_SCRIPT } from './browser-scripts.ts'
import { PAGE_CSS, type Site } from './page.ts'
import { type ParkingPageOptions, parkingPage } from './parking-page.ts'
import { addSecurityTxt } from './security-txt.ts'

interface PagesOptions {
  /** The content of the page of free spaces. */
  readonly parking: () => Omit<ParkingPageOptions, 'site' | 'origin'>
  readonly describe: () => CatalogueEntry[]
  readonly site: Site
  readonly startedAt: Date
  /** The OpenAPI document. */
  readonly document: () => object
  /** The address for reports of vulnerabilities. */
  readonly securityContact: string | undefined
}

const HTML = 'text/html; charset=utf-8'
const JAVASCRIPT = 'text/javascript; charset=utf-8'

/**
 * Adds what browsers get besides the explorer: the page of free spaces, the OpenAPI document, and security.txt, where there is a
 * contact.
 */
export function addPages(router: Router, options: PagesOptions): void {
  const { describe, site, startedAt, securityContact } = options
  const { synthetic } = site
  const common = { synthetic, lastModified: () => lastUpdate(describe(), startedAt) }
  const html = { synthetic, type: HTML }
  const document = {
    content: () => Buffer.from(JSON.stringify(options.document())),
    // It says whose each dataset is, and which values open enumerations hold: another release may change both.
    version: () =>
      describe()
        .map(({ release, synthetic }) => `${release}${synthetic}`)
        .join(),
  }
  addPage(router, {
    ...{ ...html, path: '/parking', maxAge: 30, defaultHeaders: SCRIPTED_PAGE_HEADERS },
    content() {
      const origin = describe().find(({ name }) => name === 'carparks')
      return parkingPage({ ...options.parking(), site, origin })
    },
  })
  const asset = (path: string, type: string, maxAge: number, content: () => Buffer) =>
    addAsset(router, { ...common, path, type, maxAge, content })
  asset('/assets/page.css', 'text/css; charset=utf-8', 3600, () => Buffer.from(PAGE_CSS))
  asset(PARKING_SCRIPT.path, JAVASCRIPT, 3600, PARKING_SCRIPT.read)
  addAsset(router, { ...common, ...document, path: '/openapi.json', type: 'application/json', maxAge: 300 })
  // Where the reference and the description were until the documentation had pages of its own.
  addRedirect(router, { path: '/docs/json', to: '/openapi.json' })
  addRedirect(router, { path: '/docs/static/index.html', to: '/docs/api' })
  if (securityContact !== undefined) addSecurityTxt(router, securityContact)
}
