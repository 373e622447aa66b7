import Type from 'typebox'
import type { Dataset } from '../../datasets/dataset.ts'
import * as field from '../../datasets/fields.ts'
import { Contact, type Metadata } from '../../datasets/metadata.ts'
import { Origin, originOf } from '../../datasets/origin.ts'
import { serialiser } from '../../http/response/serialiser.ts'
import { addEndpoint } from '../../http/routing/endpoint.ts'
import type { Router } from '../../http/routing/router.ts'
import type { Snapshots } from '../../releases/snapshots/snapshots.ts'

const nullableText = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })
const nullableCount = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description })

/** A dataset in the catalogue. */
const CatalogueEntry = Type.Object(
  {
    name: Type.String({ description: 'Name of the dataset.', examples: ['toilets'] }),
    title: Type.String(),
    description: Type.String(),
    path: Type.String({
      description: 'Where it is served, relative to the host.',
      examples: ['/v1/toilets'],
    }),
    ...Origin.properties,
    synthetic: Type.Boolean({ description: 'True for invented data.' }),
    available: Type.Boolean({ description: 'Whether it is available now.' }),
    records: nullableCount('Number of records.'),
    release: nullableCount('Number of the release that is served.'),
    hash: nullableText('SHA-256 over its records.'),
    publishedAt: nullableText('When the release was published, ISO 8601 UTC.'),
    updatedAt: nullableText(
      'When the release became current, ISO 8601 UTC: after a rollback later than publishedAt.',
    ),
  },
  { $id: 'CatalogueEntry', title: 'Catalogue entry' },
)
export type CatalogueEntry = Type.Static<typeof CatalogueEntry>

const Catalogue = Type.Object({
  title: Type.String({ description: 'Name of the service.' }),
  description: nullableText('What the service is; null where not stated.'),
  contact: field.nullableObject(Contact, { description: 'Whom to ask; null where not stated.' }),
  results: Type.Array(CatalogueEntry),
})

/** When the catalogue last changed. */
export function lastUpdate(entries: readonly CatalogueEntry[], startedAt: Date): Date {
  const updates = entries.flatMap(({ updatedAt }) => (updatedAt === null ? [] : [Date.parse(updatedAt)]))
  return new Date(Math.max(startedAt.getTime(), ...updates))
}

/** Describes every dataset: its content, whose it is, and the release that is served. */
export function describeDatasets(
  datasets: readonly Dataset[],
  snapshots: Snapshots,
  unavailable: ReadonlySet<string>,
  metadata: Metadata,
): CatalogueEntry[] {
  return datasets.map(({ name, title, description, path }) => {
    const release = snapshots.get(name)?.release
    const invented = release?.synthetic === true
    return {
      name,
      title,
      description,
      path,
      ...originOf(metadata, { dataset: name, synthetic: invented }),
      synthetic: invented,
      available: release !== undefined && !unavailable.has(name),
      records: release?.rows ?? null,
      release: release?.number ?? null,
      hash: release?.hash ?? null,
      publishedAt: release?.publishedAt ?? null,
      updatedAt: release?.currentSince ?? null,
    }
  })
}

/** Adds GET /v1/datasets: every dataset with its publisher and release. */
export function addCatalogue(
  router: Router,
  options: { describe: () => CatalogueEntry[]; metadata: Metadata; startedAt: Date },
): void {
  const { describe, metadata, startedAt } = options
  const { title, description = null, contact = null } = metadata
  const render = serialiser(Catalogue)
  addEndpoint(router, {
    path: '/v1/datasets',
    operationId: 'listDatasets',
    tag: 'catalogue',
    summary: 'The datasets with publisher, licence and current release',
    parameters: {},
    response: Catalogue,
    respond: () => {
      const results = describe()
      const body = render({ title, description, contact, results })
      return {
        lastModified: lastUpdate(results, startedAt),
        maxAge: 60,
        staleIfError: 86_400,
        synthetic: results.some(({ synthetic }) => synthetic),
        body,
      }
    },
  })
}
