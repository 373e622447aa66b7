import Type from 'typebox'
import { Contact } from '../../datasets/contact.ts'
import * as field from '../../datasets/fields.ts'
import type { Metadata } from '../../datasets/metadata.ts'
import type { Representation } from '../../http/response/representation.ts'
import { serialiser } from '../../http/response/serialiser.ts'
import { addEndpoint } from '../../http/routing/endpoint.ts'
import type { Router } from '../../http/routing/router.ts'
import { DAY_S } from '../../values/time-units.ts'
import { oneOf } from '../../values/values.ts'
import type { Catalogue } from './catalogue.ts'
import { dcatCatalogue, dcatDataset } from './dcat.ts'
import { DatasetDescription, lastChange } from './description.ts'
import { CatalogueEntry, lastUpdate } from './entry.ts'
import { NamedEnumeration } from './field-descriptions.ts'
import { describeService } from './linked-data.ts'
import { schemaOrgCatalogue, schemaOrgDataset } from './schema-org.ts'
import { unknownDataset } from './unknown-dataset.ts'

const CatalogueBody = Type.Object({
  title: Type.String({ description: 'Name of the service.' }),
  description: field.nullableText({ description: 'What the service is; null where not stated.' }),
  contact: field.nullableObject(Contact, { description: 'Whom to ask; null where not stated.' }),
  results: Type.Array(CatalogueEntry),
})

const Enumerations = Type.Object({ results: Type.Array(NamedEnumeration) })

const JSON_LD = {
  name: 'jsonld',
  mediaType: 'application/ld+json',
  description: 'The same as linked data.',
}

const FORMATS = { formats: [JSON_LD], tag: 'catalogue' }

const parameters = {
  profile: {
    type: oneOf(['dcat-ap', 'schema.org']),
    default: 'dcat-ap' as const,
    description: 'The vocabulary of JSON-LD: DCAT-AP 3, or schema.org. Without effect on JSON.',
  },
}

/** For how long the catalogue may be cached. */
const CACHING = { maxAge: 60, staleIfError: DAY_S }

export interface CatalogueRoutesOptions {
  readonly metadata: Metadata
  readonly startedAt: Date
  /** The public base address, without a trailing slash; read at each use. */
  readonly baseUrl: () => string
}

/** Adds the catalogue, each of its datasets by itself, and the enumerations of all. */
export function addCatalogueRoutes(
  router: Router,
  catalogue: Catalogue,
  options: CatalogueRoutesOptions,
): void {
  addCatalogueRoute(router, catalogue, options)
  addDatasetRoute(router, catalogue, options)
  addEnumerationsRoute(router, catalogue, options)
}

function addCatalogueRoute(
  router: Router,
  { names, entries, describe }: Catalogue,
  { metadata, startedAt, baseUrl }: CatalogueRoutesOptions,
): void {
  const render = serialiser(CatalogueBody)
  const { title, description = null, contact = null } = metadata
  addEndpoint(router, {
    ...{ path: '/v1/datasets', operationId: 'listDatasets', parameters, ...FORMATS },
    summary: 'The datasets with publisher, licence and current release',
    response: CatalogueBody,
    respond({ query: { profile }, format }) {
      const results = entries()
      const about = {
        ...{ ...CACHING, lastModified: lastUpdate(results, startedAt) },
        synthetic: results.some(({ synthetic }) => synthetic),
      }
      if (format !== JSON_LD.name)
        return { ...about, body: render({ title, description, contact, results: located(results, router) }) }
      const write = profile === 'dcat-ap' ? dcatCatalogue : schemaOrgCatalogue
      return Promise.all(names.map(describe)).then(datasets => ({
        ...about,
        body: jsonOf(write(describeService(metadata, baseUrl()), datasets)),
      }))
    },
  })
}

function addDatasetRoute(
  router: Router,
  { names, describe }: Catalogue,
  { metadata, startedAt, baseUrl }: CatalogueRoutesOptions,
): void {
  const render = serialiser(DatasetDescription)
  addEndpoint(router, {
    ...{ path: '/v1/datasets/:name', operationId: 'describeDataset', parameters, ...FORMATS },
    summary: 'One dataset in detail: its fields, formats, area, period, freshness and warnings',
    params: Type.Object({
      name: Type.String({ enum: names, description: 'Name of the dataset.', examples: ['toilets'] }),
    }),
    response: DatasetDescription,
    problems: [404, 414],
    async respond({ query: { profile }, params: { name = '' }, format }): Promise<Representation> {
      if (!names.includes(name)) throw unknownDataset(name, names)
      const described = await describe(name)
      const service = describeService(metadata, baseUrl())
      const inJsonLd = () =>
        profile === 'dcat-ap' ? dcatDataset(described, baseUrl()) : schemaOrgDataset(described, service)
      return {
        ...{ ...CACHING, lastModified: lastChange(described, startedAt), synthetic: described.synthetic },
        body: format === JSON_LD.name ? jsonOf(inJsonLd()) : render(locatedInDetail(described, router)),
      }
    },
  })
}

function addEnumerationsRoute(
  router: Router,
  { names, entries, describe }: Catalogue,
  { startedAt }: Pick<CatalogueRoutesOptions, 'startedAt'>,
): void {
  const render = serialiser(Enumerations)
  addEndpoint(router, {
    ...{ path: '/v1/enumerations', operationId: 'listEnumerations', tag: 'catalogue', parameters: {} },
    summary: 'The enumerations of all datasets: their values and what they mean',
    response: Enumerations,
    async respond(): Promise<Representation> {
      const datasets = await Promise.all(names.map(describe))
      const results = datasets.flatMap(({ name: dataset, fields }) =>
        fields.flatMap(({ name: field, enumeration }) =>
          enumeration === null ? [] : [{ dataset, field, ...enumeration }],
        ),
      )
      return {
        ...{ ...CACHING, lastModified: lastUpdate(entries(), startedAt) },
        synthetic: datasets.some(({ synthetic }) => synthetic),
        body: render({ results }),
      }
    },
  })
}

/** Entries with addresses in place of paths. */
const located = <Entry extends { readonly path: string; readonly details?: string }>(
  entries: readonly Entry[],
  { shared: { address } }: Router,
): Entry[] =>
  entries.map(entry => ({
    ...entry,
    path: address(entry.path),
    ...(entry.details !== undefined && { details: address(entry.details) }),
  }))

const locatedInDetail = (described: DatasetDescription, router: Router): DatasetDescription => ({
  ...described,
  ...located([described], router)[0],
  formats: located(described.formats, router),
  endpoints: located(described.endpoints, router),
})

const jsonOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
