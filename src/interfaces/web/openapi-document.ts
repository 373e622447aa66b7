import { addDocument } from '../../http/document.ts'
import { moved, storeResponse } from '../../http/response.ts'
import type { Router } from '../../http/router.ts'
import { type CatalogueEntry, lastUpdate } from '../catalogue/entry.ts'

interface OpenApiDocumentOptions {
  readonly describe: () => CatalogueEntry[]
  readonly synthetic: boolean
  readonly startedAt: Date
  /** The OpenAPI document. */
  readonly document: () => object
}

const PATH = '/openapi.json'

/** The former addresses of the OpenAPI document and the reference. */
const MOVED = { '/docs/json': PATH, '/docs/static/index.html': '/docs/api' }

/**
 * Adds the OpenAPI document. It names the publisher of each dataset and the values of open enumerations, so it is made again at
 * the first request after a release changed. It is compressed once, with the highest effort.
 */
export function addOpenApiDocument(router: Router, options: OpenApiDocumentOptions): void {
  const { describe, synthetic, startedAt, document } = options
  addDocument(router, {
    path: PATH,
    cacheVersion: () =>
      describe()
        .flatMap(({ release, synthetic }) => [release, synthetic])
        .join(),
    make() {
      const lastModified = lastUpdate(describe(), startedAt)
      const about = { type: 'application/json', maxAge: 300, staleIfError: 0, synthetic, lastModified }
      return storeResponse(about, { body: Buffer.from(JSON.stringify(document())) }, 'thorough')
    },
  })
  for (const [path, target] of Object.entries(MOVED)) {
    const response = moved(302, router.shared.address(target))
    router.add({ path, handle: () => response })
  }
}
