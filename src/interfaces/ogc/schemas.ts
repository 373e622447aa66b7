import Type, { type TObject } from 'typebox'

/** The coordinate reference system of everything here: WGS 84, longitude first. */
export const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84'

/** A link of a document (RFC 8288). */
export const Link = Type.Object(
  {
    href: Type.String({ format: 'uri' }),
    rel: Type.String({ description: 'The relation.', examples: ['self'] }),
    type: Type.String({ description: 'The media type.' }),
    title: Type.String(),
  },
  { $id: 'Link', title: 'Link' },
)
export type Link = Type.Static<typeof Link>

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
export type CollectionInfo = Type.Static<typeof CollectionInfo>

export const Collections = Type.Object({ links: Links, collections: Type.Array(CollectionInfo) })

const Point = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  properties: {
    type: { type: 'string', enum: ['Point'] },
    coordinates: {
      ...{ type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
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

/** An OpenAPI document, which has a schema of its own. */
export const OpenApiDocument = Type.Unknown({ description: 'An OpenAPI 3.0 document.' })
