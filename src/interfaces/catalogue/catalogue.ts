import Type from 'typebox'
import type { Dataset } from '../../datasets/dataset.ts'
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
    publisher: Type.String({ description: 'Whose data it is.' }),
    licence: Type.String(),
    licenceUrl: Type.String({ format: 'uri' }),
    sourceUrl: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'uri',
      description: 'The publisher’s page about it; null for invented data.',
    }),
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

const Catalogue = Type.Object({ results: Type.Array(CatalogueEntry) })

/** The origin of synthetic data. */
const INVENTED = {
  publisher: 'Nobody: this data is invented',
  licence: 'CC0-1.0',
  licenceUrl: 'https://creativecommons.org/publicdomain/zero/1.0/',
  sourceUrl: null,
}

/** When the catalogue last changed. */
export function lastUpdate(entries: readonly CatalogueEntry[], startedAt: Date): Date {
  const updates = entries.flatMap(({ updatedAt }) => (updatedAt === null ? [] : [Date.parse(updatedAt)]))
  return new Date(Math.max(startedAt.getTime(), ...updates))
}

/** Describes every dataset: its content, its publisher, and the release that is served. */
export function describeDatasets(
  datasets: readonly Dataset[],
  snapshots: Snapshots,
  unavailable: ReadonlySet<string>,
): CatalogueEntry[] {
  return datasets.map(({ name, title, description, path, origin }) => {
    const release = snapshots.get(name)?.release
    const invented = release?.synthetic === true
    return {
      name,
      title,
      description,
      path,
      ...(invented ? INVENTED : origin),
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
export function addCatalogue(router: Router, describe: () => CatalogueEntry[], startedAt: Date): void {
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
      const body = render({ results })
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
