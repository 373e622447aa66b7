import Type from 'typebox'
import type { Dataset } from '../../datasets/dataset.ts'
import * as field from '../../datasets/fields.ts'
import type { Metadata } from '../../datasets/metadata.ts'
import { Origin, originOf } from '../../datasets/origin.ts'
import type { Snapshots } from '../../releases/snapshots/snapshots.ts'
import { DAY_S } from '../../values/time-units.ts'

/** A dataset in the catalogue. */
export const CatalogueEntry = Type.Object(
  {
    name: Type.String({ description: 'Name of the dataset.', examples: ['toilets'] }),
    title: Type.String(),
    description: Type.String(),
    path: Type.String({
      description: 'Where it is served, relative to the host.',
      examples: ['/v1/toilets'],
    }),
    details: Type.String({
      description: 'Where it is described in detail, relative to the host.',
      examples: ['/v1/datasets/toilets'],
    }),
    ...Origin.properties,
    synthetic: Type.Boolean({ description: 'True for invented data.' }),
    available: Type.Boolean({ description: 'Whether it is available now.' }),
    records: field.nullableInteger({ description: 'Number of records.' }),
    release: field.nullableInteger({ description: 'Number of the release that is served.' }),
    hash: field.nullableText({ description: 'SHA-256 over its records.' }),
    publishedAt: field.nullableText({ description: 'When the release was published, ISO 8601 UTC.' }),
    updatedAt: field.nullableText({
      description: 'When the release became current, ISO 8601 UTC: after a rollback later than publishedAt.',
    }),
  },
  { $id: 'CatalogueEntry', title: 'Catalogue entry' },
)
export type CatalogueEntry = Type.Static<typeof CatalogueEntry>

/** When the catalogue last changed. */
export function lastUpdate(entries: readonly CatalogueEntry[], startedAt: Date): Date {
  const updates = entries.flatMap(({ updatedAt }) => (updatedAt === null ? [] : [Date.parse(updatedAt)]))
  return new Date(Math.max(startedAt.getTime(), ...updates))
}

/** The dates and caching of a response made from all entries. */
export const aboutEntries = (entries: readonly CatalogueEntry[], startedAt: Date) => ({
  lastModified: lastUpdate(entries, startedAt),
  maxAge: 60,
  staleIfError: DAY_S,
  synthetic: entries.some(({ synthetic }) => synthetic),
})

/** Describes a dataset in short: its content, its origin, and the served release. */
export function entryOf(
  { name, title, description, path }: Dataset,
  {
    snapshots,
    unavailable,
    metadata,
  }: { snapshots: Pick<Snapshots, 'get'>; unavailable: ReadonlySet<string>; metadata: Metadata },
): CatalogueEntry {
  const release = snapshots.get(name)?.release
  const invented = release?.synthetic === true
  return {
    name,
    title,
    description,
    path,
    details: `/v1/datasets/${name}`,
    ...originOf(metadata, { dataset: name, synthetic: invented }),
    synthetic: invented,
    available: release !== undefined && !unavailable.has(name),
    records: release?.rows ?? null,
    release: release?.number ?? null,
    hash: release?.hash ?? null,
    publishedAt: release?.publishedAt ?? null,
    updatedAt: release?.currentSince ?? null,
  }
}
