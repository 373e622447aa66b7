import { SCRIPTED_PAGE_HEADERS } from '../../http/response/default-headers.ts'
import type { Router } from '../../http/routing/router.ts'
import { type CatalogueEntry, lastUpdate } from '../catalogue/catalogue.ts'
import { addAsset, addPage } from './asset.ts'
import { PARKING_SCRIPT } from './browser-scripts.ts'
import { addDocumentation } from './documentation.ts'
import { frontPage } from './front-page.ts'
import { PAGE_CSS } from './page.ts'
import { type ParkingPageOptions, parkingPage } from './parking-page.ts'
import { problemPages } from './problem-pages.ts'
import { addSecurityTxt } from './security-txt.ts'

interface PagesOptions {
  /** The content of the page of free spaces. */
  readonly parking: () => Omit<ParkingPageOptions, 'synthetic'>
  readonly describe: () => CatalogueEntry[]
  readonly synthetic: boolean
  readonly startedAt: Date
  /** The OpenAPI document. */
  readonly document: () => object
  /** The address for reports of vulnerabilities. */
  readonly securityContact: string | undefined
}

const HTML = 'text/html; charset=utf-8'
const JAVASCRIPT = 'text/javascript; charset=utf-8'

/**
 * Adds the pages for browsers: the front page, free spaces, the documentation, and a page for each kind of problem; and
 * security.txt, where there is a contact.
 */
export function addPages(router: Router, options: PagesOptions): void {
  const { describe, synthetic, startedAt, securityContact } = options
  const common = { synthetic, lastModified: () => lastUpdate(describe(), startedAt) }
  const html = { ...common, type: HTML }
  const document = () => Buffer.from(JSON.stringify(options.document()))
  addPage(router, { ...html, path: '/', maxAge: 60, content: () => frontPage(describe(), synthetic) })
  addPage(router, {
    ...{ ...html, path: '/parking', maxAge: 30, defaultHeaders: SCRIPTED_PAGE_HEADERS },
    content: () => parkingPage({ ...options.parking(), synthetic }),
  })
  const asset = (path: string, type: string, maxAge: number, content: () => Buffer) =>
    addAsset(router, { ...common, path, type, maxAge, content })
  asset('/assets/page.css', 'text/css; charset=utf-8', 3600, () => Buffer.from(PAGE_CSS))
  asset(PARKING_SCRIPT.path, JAVASCRIPT, 3600, PARKING_SCRIPT.read)
  asset('/openapi.json', 'application/json', 300, document)
  for (const { path, html } of problemPages(synthetic)) asset(path, HTML, 3600, () => Buffer.from(html))
  addDocumentation(router, { ...common, document })
  if (securityContact !== undefined) addSecurityTxt(router, securityContact)
}
