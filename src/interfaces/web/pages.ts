import type { Router } from '../../http/routing/router.ts'
import { type CatalogueEntry, lastUpdate } from '../catalogue/entry.ts'
import { addAsset, addRedirect } from './asset.ts'
import { addSecurityTxt } from './security-txt.ts'

interface PagesOptions {
  readonly describe: () => CatalogueEntry[]
  readonly synthetic: boolean
  readonly startedAt: Date
  /** The OpenAPI document. */
  readonly document: () => object
  /** The address for reports of vulnerabilities. */
  readonly securityContact: string | undefined
}

/** Adds what browsers and tools read besides the explorer: the OpenAPI document, and security.txt, where there is a contact. */
export function addPages(router: Router, options: PagesOptions): void {
  const { describe, synthetic, startedAt, securityContact } = options
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
  // Where the reference and the description were until the documentation had pages of its own.
  addRedirect(router, { path: '/docs/json', to: '/openapi.json' })
  addRedirect(router, { path: '/docs/static/index.html', to: '/docs/api' })
  if (securityContact !== undefined) addSecurityTxt(router, securityContact)
}
