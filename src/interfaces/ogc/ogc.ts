import type { DatasetContext } from '../../datasets/dataset.ts'
import type { Route, Router } from '../../http/routing/router.ts'
import { hasGeometry } from '../../query/geometry.ts'
import { addressOf } from '../../values/addresses/address-of.ts'
import { addCollections } from './collections.ts'
import { addDocument, type OgcOptions } from './documents.ts'
import { addFeature, addFeatures } from './features.ts'
import { COLLECTIONS_PATH, linkTo, OPENAPI_TYPE, ROOT_PATH } from './links.ts'
import { openApi30 } from './openapi-30.ts'
import { Conformance, LandingPage, OpenApiDocument } from './schemas.ts'

const CONFORMANCE_PATH = `${ROOT_PATH}/conformance`
const DEFINITION_PATH = `${ROOT_PATH}/api`

const CONFORMS_TO = ['core', 'oas30', 'geojson'].map(
  name => `http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/${name}`,
)

/**
 * Adds OGC API - Features Part 1: Core (OGC 17-069r4) for the datasets whose records have a position, so that geographic
 * information systems open them as layers.
 */
export function addOgc(router: Router, contexts: readonly DatasetContext[], options: OgcOptions): void {
  const placed = contexts.filter(({ dataset }) => hasPlaces(dataset))
  const routes: Route[] = []
  const documented = documentedApart(router, routes)
  addLandingPage(documented, options)
  addDocument(documented, options, {
    path: CONFORMANCE_PATH,
    operationId: 'getConformance',
    summary: 'The conformance classes of the standard',
    response: Conformance,
    make: () => ({ conformsTo: CONFORMS_TO }),
  })
  addDocument(documented, options, {
    path: DEFINITION_PATH,
    operationId: 'getApiDefinition',
    summary: 'This definition of the API',
    mediaType: OPENAPI_TYPE,
    response: OpenApiDocument,
    make: () => openApi30(routes, options),
  })
  addCollections(documented, placed, options)
  for (const context of placed) {
    addFeatures(documented, context, options.baseUrl)
    addFeature(documented, context, options.baseUrl)
  }
}

/** The datasets whose records are in memory and have a position: a table answers no question of place. */
const hasPlaces = ({ record, list, layout }: DatasetContext['dataset']): boolean =>
  layout.kind === 'documents' && hasGeometry(list.item ?? record)

/** A router whose routes are left out of the service's own OpenAPI document: the standard has its own, of another version. */
const documentedApart = (router: Router, routes: Route[]): Router => ({
  ...router,
  add(route) {
    routes.push(route)
    const { operation: _operation, ...others } = route
    router.add(others)
  },
})

function addLandingPage(router: Router, options: OgcOptions): void {
  const { baseUrl, metadata } = options
  addDocument(router, options, {
    path: ROOT_PATH,
    operationId: 'getLandingPage',
    summary: 'The landing page: where everything is',
    response: LandingPage,
    make() {
      const base = baseUrl()
      const link = (path: string, rel: string, title: string, type?: string) =>
        linkTo(addressOf(base, path), { rel, title, ...(type !== undefined && { type }) })
      return {
        title: metadata.title,
        ...(metadata.description !== undefined && { description: metadata.description }),
        links: [
          link(ROOT_PATH, 'self', 'This document'),
          link(DEFINITION_PATH, 'service-desc', 'The definition of the API (OpenAPI 3.0)', OPENAPI_TYPE),
          link(CONFORMANCE_PATH, 'conformance', 'The conformance classes'),
          link(COLLECTIONS_PATH, 'data', 'The collections'),
        ],
      }
    },
  })
}
