import type { DatasetContext } from '../../datasets/dataset.ts'
import { describeOrigin, originOf } from '../../datasets/origin.ts'
import type { Route, Router } from '../../http/router.ts'
import { boundsOf, hasGeometry, pointOf } from '../../query/geometry.ts'
import { oncePerSnapshot } from '../../releases/snapshots/snapshot.ts'
import { addressOf } from '../../values/addresses/address-of.ts'
import { isObject } from '../../values/values.ts'
import { openApi } from '../rest/openapi.ts'
import {
  addDocument,
  COLLECTIONS_PATH,
  CollectionInfo,
  Collections,
  Conformance,
  CRS84,
  collectionPath,
  GEOJSON_TYPE,
  LandingPage,
  linkTo,
  type OgcOptions,
  OPENAPI_TYPE,
  OpenApiDocument,
  ROOT_PATH,
} from './documents.ts'
import { addFeature, addFeatures } from './features.ts'

/** Adds the list of the collections that are available, and each collection. */
function addCollections(router: Router, contexts: readonly DatasetContext[], options: OgcOptions): void {
  addDocument(router, options, {
    path: COLLECTIONS_PATH,
    operationId: 'getCollections',
    summary: 'The collections: datasets of places that are available',
    response: Collections,
    make() {
      const available = options.describe().filter(entry => entry.available)
      return {
        links: [
          linkTo(addressOf(options.baseUrl(), COLLECTIONS_PATH), { rel: 'self', title: 'The collections' }),
        ],
        collections: contexts
          .filter(({ dataset }) => available.some(({ name }) => name === dataset.name))
          .map(context => infoOf(context, options)),
      }
    },
  })
  for (const context of contexts) {
    const { name, title } = context.dataset
    addDocument(router, options, {
      path: collectionPath(name),
      operationId: `${name}.getCollection`,
      summary: `${title}: the collection`,
      response: CollectionInfo,
      make: () => infoOf(context, options),
    })
  }
}

/** A collection as it is now. Throws DATASET_UNAVAILABLE if its dataset is unavailable. */
function infoOf(context: DatasetContext, { baseUrl, metadata }: OgcOptions) {
  const snapshot = context.snapshot()
  const { name, title, description } = context.dataset
  const origin = originOf(metadata, snapshot.release)
  const { attribution, licence, licenceUrl } = origin
  const href = addressOf(baseUrl(), collectionPath(name))
  const bbox = extentOf(snapshot)
  return {
    id: name,
    title,
    description: `${description} ${describeOrigin(origin)}`,
    attribution: attribution ?? undefined,
    extent: bbox && { spatial: { bbox: [bbox], crs: CRS84 } },
    itemType: 'feature',
    crs: [CRS84],
    links: [
      linkTo(href, { rel: 'self', title: 'This collection' }),
      linkTo(`${href}/items`, { rel: 'items', title, type: GEOJSON_TYPE }),
      ...(licenceUrl === null
        ? []
        : [linkTo(licenceUrl, { rel: 'license', title: licence ?? 'The licence', type: 'text/html' })]),
    ],
  }
}

/** The area of the positions; undefined for a dataset without positions. */
const extentOf = oncePerSnapshot(({ records }) => boundsOf(records.flatMap(record => pointOf(record) ?? [])))

const ABOUT = `The datasets of places as OGC API - Features Part 1: Core (OGC 17-069r4).

Positions are longitude and latitude (CRS84). Unknown parameters are an error, as the standard requires.`

/** Documents routes as OpenAPI 3.0, which the standard's conformance class `oas30` requires. */
function openApi30(
  routes: readonly Route[],
  { baseUrl, metadata }: Pick<OgcOptions, 'baseUrl' | 'metadata'>,
): object {
  const {
    info,
    tags: _tags,
    ...document
  } = openApi(routes, {
    datasets: [],
    metadata,
    synthetic: false,
    baseUrl: baseUrl() || '/',
  })
  const { summary: _summary, ...about } = isObject(info) ? info : {}
  return {
    ...Object(downgraded(document)),
    openapi: '3.0.3',
    info: { ...about, description: ABOUT },
  }
}

/** Converts OpenAPI 3.1 to 3.0: `nullable` replaces the type null, `example` replaces `examples`. */
function downgraded(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(downgraded)
  if (!isObject(node)) return node
  const { type, examples, ...others } = node
  const parts = Object.entries(others).map(([key, part]) => [key, downgraded(part)])
  if (Array.isArray(examples)) parts.unshift(['example', examples[0]])
  return { ...typeIn30(type), ...Object.fromEntries(parts) }
}

/** The value of a property named `type` is a schema, not a type. */
function typeIn30(type: unknown): object {
  if (!Array.isArray(type)) return { type: downgraded(type) }
  const [named] = type.filter(name => name !== 'null')
  return { type: named, nullable: type.includes('null') || undefined }
}

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

/** Whether a dataset's records are in memory and have a position: tables cannot be searched by place. */
const hasPlaces = ({ record, list, layout }: DatasetContext['dataset']): boolean =>
  layout.kind === 'documents' && hasGeometry(list.item ?? record)

/**
 * A router whose routes are left out of the service's own OpenAPI document. The standard requires a separate document, in
 * another version of OpenAPI.
 */
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
        linkTo(addressOf(base, path), { rel, title, type })
      return {
        title: metadata.title,
        description: metadata.description,
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
