import type { Router } from '../../http/routing/router.ts'
import { type CatalogueEntry, lastUpdate } from '../catalogue/entry.ts'
import { addAsset } from './asset.ts'
import { addDocumentation } from './documentation.ts'
import type { Site } from './page.ts'
import { addSecurityTxt } from './security-txt.ts'

interface PagesOptions {
  readonly describe: () => CatalogueEntry[]
  readonly site: Site
  readonly startedAt: Date
  /** The OpenAPI document. */
  readonly document: () => object
  /** The address for reports of vulnerabilities. */
  readonly securityContact: string | undefined
}

/** Adds what browsers and tools read besides the explorer: the OpenAPI document, the documentation, and security.txt. */
export function addPages(router: Router, options: PagesOptions): void {
  const { describe, site, startedAt, securityContact } = options
  const { synthetic } = site
  const common = { synthetic, lastModified: () => lastUpdate(describe(), startedAt) }
  const document = {
    content: () => Buffer.from(JSON.stringify(options.document())),
    // It says whose each dataset is, and which values open enumerations hold: another release may change both.
    version: () =>
      describe()
        .map(({ release, synthetic }) => `${release}${synthetic}`)
        .join(),
  }
  addAsset(router, { ...common, ...document, path: '/openapi.json', type: 'application/json', maxAge: 300 })
  addDocumentation(router, { ...common, title: site.title, document })
  if (securityContact !== undefined) addSecurityTxt(router, securityContact)
}
