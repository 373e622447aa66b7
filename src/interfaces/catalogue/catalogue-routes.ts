import Type from 'typebox'
import { Contact } from '../../datasets/contact.ts'
import * as field from '../../datasets/fields.ts'
import type { Metadata } from '../../datasets/metadata.ts'
import { addEndpoint } from '../../http/endpoint.ts'
import { serialiser } from '../../http/representation.ts'
import type { Router } from '../../http/router.ts'
import { oneOf } from '../../values/values.ts'
import { type Catalogue, DatasetDescription, lastChange } from './catalogue.ts'
import { aboutEntries, CatalogueEntry } from './entry.ts'
import { NamedEnumeration } from './field-descriptions.ts'
import { describeService, VOCABULARIES } from './linked-data.ts'

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

const parameters = {
  profile: {
    type: oneOf(['dcat-ap', 'schema.org']),
    default: 'dcat-ap' as const,
    description: 'The vocabulary of JSON-LD: DCAT-AP 3, or schema.org. Without effect on JSON.',
  },
}

interface CatalogueRoutesOptions {
  readonly metadata: Metadata
  readonly startedAt: Date
  /** The public base address, without a trailing slash; read at each use. */
  readonly baseUrl: () => string
}

/** Adds the catalogue, each dataset separately, and the enumerations of all datasets. */
export function addCatalogueRoutes(
  router: Router,
  { names, entries, describe }: Catalogue,
  { metadata, startedAt, baseUrl }: CatalogueRoutesOptions,
): void {
  const { address } = router.shared
  const common = { tag: 'catalogue', parameters, formats: [JSON_LD] }
  const service = () => describeService(metadata, baseUrl())
  const describeAll = () => Promise.all(names.map(describe))

  const renderCatalogue = serialiser(CatalogueBody)
  addEndpoint(router, {
    ...common,
    path: '/v1/datasets',
    operationId: 'listDatasets',
    summary: 'The datasets with publisher, licence and current release',
    response: CatalogueBody,
    respond({ query: { profile }, format }) {
      const all = entries()
      const about = aboutEntries(all, startedAt)
      if (format !== JSON_LD.name) {
        const { title, description = null, contact = null } = metadata
        const results = all.map(entry => located(entry, address))
        return { ...about, body: renderCatalogue({ title, description, contact, results }) }
      }
      const { catalogue } = VOCABULARIES[profile]
      return describeAll().then(datasets => ({ ...about, body: jsonOf(catalogue(service(), datasets)) }))
    },
  })

  const renderDataset = serialiser(DatasetDescription)
  addEndpoint(router, {
    ...common,
    path: '/v1/datasets/:name',
    operationId: 'describeDataset',
    summary: 'One dataset in detail: its fields, formats, area, period, freshness and warnings',
    params: Type.Object({
      name: Type.String({ enum: names, description: 'Name of the dataset.', examples: ['toilets'] }),
    }),
    response: DatasetDescription,
    problems: [404, 414],
    async respond({ query: { profile }, params, format }) {
      const described = await describe(params.name)
      return {
        ...aboutEntries([described], startedAt),
        lastModified: lastChange(described, startedAt),
        body:
          format === JSON_LD.name
            ? jsonOf(VOCABULARIES[profile].dataset(service(), described))
            : renderDataset(locatedInDetail(described, address)),
      }
    },
  })

  const renderEnumerations = serialiser(Enumerations)
  addEndpoint(router, {
    path: '/v1/enumerations',
    operationId: 'listEnumerations',
    tag: 'catalogue',
    parameters: {},
    summary: 'The enumerations of all datasets: their values and what they mean',
    response: Enumerations,
    async respond() {
      const datasets = await describeAll()
      const results = datasets.flatMap(({ name: dataset, fields }) =>
        fields.flatMap(({ name: field, enumeration }) =>
          enumeration === null ? [] : [{ dataset, field, ...enumeration }],
        ),
      )
      return { ...aboutEntries(datasets, startedAt), body: renderEnumerations({ results }) }
    },
  })
}

type Address = Router['shared']['address']

/** An entry with addresses in place of paths. */
const located = <Entry extends CatalogueEntry>(entry: Entry, address: Address): Entry => ({
  ...entry,
  path: address(entry.path),
  details: address(entry.details),
})

function locatedInDetail(described: DatasetDescription, address: Address): DatasetDescription {
  const { formats, endpoints } = described
  return {
    ...located(described, address),
    formats: formats.map(each => ({ ...each, path: address(each.path) })),
    endpoints: endpoints.map(each => ({ ...each, path: address(each.path) })),
  }
}

const jsonOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
