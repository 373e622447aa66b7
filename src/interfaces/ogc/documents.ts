import Type, { type TObject, type TSchema } from 'typebox'
import type { Metadata } from '../../datasets/metadata.ts'
import { addEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { JSON_TYPE } from '../../http/negotiation.ts'
import { serialiser } from '../../http/representation.ts'
import type { Router } from '../../http/router.ts'
import { aboutEntries, type CatalogueEntry } from '../catalogue/entry.ts'
import { FORMAT } from './parameters.ts'

/** The coordinate reference system of everything here: WGS 84, longitude first. */
export const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84'

/** A link of a document (RFC 8288). */
const Link = Type.Object(
  {
    href: Type.String({ format: 'uri' }),
    rel: Type.String({ description: 'The relation.', examples: ['self'] }),
    type: Type.String({ description: 'The media type.' }),
    title: Type.String(),
  },
  { $id: 'Link', title: 'Link' },
)
type Link = Type.Static<typeof Link>

const Links = Type.Array(Link)

export const LandingPage = Type.Object({
  title: Type.String(),
  description: Type.Optional(Type.String()),
  links: Links,
})

export const Conformance = Type.Object({
  conformsTo: Type.Array(Type.String({ format: 'uri' }), { description: 'The conformance classes.' }),
})

/** A dataset of places as a collection, without its features. */
export const CollectionInfo = Type.Object(
  {
    id: Type.String({ description: 'The name of the dataset.' }),
    title: Type.String(),
    description: Type.String(),
    attribution: Type.Optional(Type.String({ description: 'The words to show with the data.' })),
    extent: Type.Optional(
      Type.Object(
        {
          spatial: Type.Object({
            bbox: Type.Array(Type.Array(Type.Number(), { minItems: 4, maxItems: 4 }), { minItems: 1 }),
            crs: Type.String({ format: 'uri' }),
          }),
        },
        { description: 'West, south, east and north; absent where no feature has a position.' },
      ),
    ),
    itemType: Type.String({ description: 'What it has: `feature`.' }),
    crs: Type.Array(Type.String({ format: 'uri' })),
    links: Links,
  },
  { $id: 'CollectionInfo', title: 'Collection' },
)

export const Collections = Type.Object({ links: Links, collections: Type.Array(CollectionInfo) })

const Point = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  properties: {
    type: { type: 'string', enum: ['Point'] },
    coordinates: {
      type: 'array',
      items: { type: 'number' },
      minItems: 2,
      maxItems: 2,
      description: 'Longitude and latitude.',
    },
  },
  required: ['type', 'coordinates'],
  description: 'A point; null where the position is not known.',
})

/** A record of a dataset as a feature (RFC 7946). */
const feature = (properties: TObject) =>
  Type.Object({
    type: Type.Unsafe({ type: 'string', enum: ['Feature'] }),
    id: Type.String(),
    geometry: Point,
    properties,
  })

/** A feature by itself. */
export const linkedFeature = (properties: TObject) =>
  Type.Object({ ...feature(properties).properties, links: Links })

/** A page of features. */
export const featureCollection = (properties: TObject) =>
  Type.Object({
    type: Type.Unsafe({ type: 'string', enum: ['FeatureCollection'] }),
    numberMatched: Type.Integer({ minimum: 0, description: 'Number of features on all pages.' }),
    numberReturned: Type.Integer({ minimum: 0, description: 'Number of features on this page.' }),
    links: Links,
    features: Type.Array(feature(properties)),
  })

/** An OpenAPI document; its schema is part of OpenAPI. */
export const OpenApiDocument = Type.Unknown({ description: 'An OpenAPI 3.0 document.' })

export const GEOJSON_TYPE = 'application/geo+json'

/** The media type of an API definition in the standard. */
export const OPENAPI_TYPE = 'application/vnd.oai.openapi+json;version=3.0'

export const ROOT_PATH = '/ogc'
export const COLLECTIONS_PATH = `${ROOT_PATH}/collections`

export const collectionPath = (name: string): string => `${COLLECTIONS_PATH}/${name}`

/** Makes a link of a document. The address is absolute, since clients resolve relative ones in different ways. */
export const linkTo = (
  href: string,
  { rel, title, type = JSON_TYPE }: { rel: string; title: string; type?: string | undefined },
): Link => ({ href, rel, type, title })

/** The position of a page of features among all matching features. */
export interface PagePosition {
  readonly offset: number
  readonly limit: number
  readonly total: number
}

/** The links of a page of features to itself, and to the next and the previous page. */
export function pageLinks(href: string, canonical: string, { offset, limit, total }: PagePosition): Link[] {
  const page = (rel: string, title: string, target: number) => {
    const query = new URLSearchParams(canonical)
    query.delete('offset')
    if (target > 0) query.set('offset', String(target))
    return linkTo(query.size === 0 ? href : `${href}?${query}`, { rel, title, type: GEOJSON_TYPE })
  }
  return [
    page('self', 'This page', offset),
    ...(offset + limit < total ? [page('next', 'Next page', offset + limit)] : []),
    ...(offset > 0 ? [page('prev', 'Previous page', Math.max(0, offset - limit))] : []),
  ]
}

/** The sources of the documents. */
export interface OgcOptions {
  /** The public base address, without a trailing slash. */
  readonly baseUrl: () => string
  readonly describe: () => readonly CatalogueEntry[]
  readonly metadata: Metadata
  readonly startedAt: Date
}

interface Document extends Pick<Endpoint<never>, 'path' | 'operationId' | 'summary' | 'mediaType'> {
  readonly response: TSchema
  readonly make: () => unknown
}

/** Adds an endpoint for a document about the features. The document changes with the releases. */
export function addDocument(
  router: Router,
  { describe, startedAt }: OgcOptions,
  { make, ...document }: Document,
): void {
  const render = serialiser(document.response)
  addEndpoint(router, {
    ...document,
    tag: 'ogc',
    parameters: FORMAT,
    refusesUnknown: true,
    respond() {
      const body = render(make())
      return { ...aboutEntries(describe(), startedAt), body }
    },
  })
}
