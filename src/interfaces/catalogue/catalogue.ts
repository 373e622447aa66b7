import Type from 'typebox'
import type { Dataset } from '../../datasets/dataset.ts'
import * as field from '../../datasets/fields.ts'
import type { Metadata } from '../../datasets/metadata.ts'
import type { RecordFormat } from '../../formats/format.ts'
import { formatsFor } from '../../formats/formats.ts'
import { JSON_FORMAT } from '../../http/negotiation.ts'
import type { Route } from '../../http/router.ts'
import { oncePerSnapshot } from '../../releases/snapshots/snapshot.ts'
import type { Snapshots } from '../../releases/snapshots/snapshots.ts'
import type { Release, SourceState } from '../../store/store.ts'
import { MINUTE_MS } from '../../values/time-units.ts'
import { datasetNamed } from './dataset-named.ts'
import { CatalogueEntry, entryOf } from './entry.ts'
import { describeFields, FieldDescription } from './field-descriptions.ts'
import { DatasetWarning, type Profile, profileOf } from './profile.ts'

const count = Type.Integer({ minimum: 0 })

/** A dataset in the catalogue, in detail. */
export const DatasetDescription = Type.Object(
  {
    ...CatalogueEntry.properties,
    changes: field.nullableObject(Type.Object({ added: count, changed: count, removed: count }), {
      description: 'How many records differ from the release before; null where none is served.',
    }),
    freshness: Type.Object({
      ageSeconds: field.nullableInteger({
        description: 'Since `updatedAt`, in whole minutes; null where no release is served.',
        unit: 's',
      }),
      sourceCheckedAt: field.nullableTimestamp({
        description: 'When its source last gave what is published; null where the service follows none.',
      }),
      sourceTriedAt: field.nullableTimestamp({
        description: 'When its source was last checked, with or without success; null where it never was.',
      }),
      sourceDays: Type.Array(
        Type.Object({
          date: Type.String({ description: 'The day in UTC.', format: 'date' }),
          succeeded: Type.Integer({ description: 'Checks that gave what is published.', minimum: 0 }),
          failed: Type.Integer({ description: 'Checks that failed or were refused.', minimum: 0 }),
        }),
        {
          description:
            'The checks of its source in the last 30 days, oldest first; days without any are left out.',
        },
      ),
    }),
    spatial: field.nullableObject(
      Type.Object({
        bbox: Type.Array(Type.Number(), {
          minItems: 4,
          maxItems: 4,
          description: 'West, south, east, north in degrees, WGS 84, as the parameter `bbox` takes them.',
        }),
      }),
      { description: 'The area of its positions; of records without any the island’s.' },
    ),
    temporal: field.nullableObject(Type.Object({ start: Type.String(), end: Type.String() }), {
      description: 'The first and the last date of its records; null where they have none.',
    }),
    fields: Type.Array(FieldDescription),
    formats: Type.Array(Type.Object({ name: Type.String(), mediaType: Type.String(), path: Type.String() }), {
      description: 'The formats of the list, with a path for each.',
    }),
    endpoints: Type.Array(Type.Object({ path: Type.String(), title: Type.String() }), {
      description: 'All that is served of it; variable parts of a path are in braces.',
    }),
    warnings: Type.Array(DatasetWarning, {
      description: 'What is wrong with some of its records; only positions `held-back` are not published.',
    }),
  },
  { $id: 'DatasetDescription', title: 'Description of a dataset' },
)
export type DatasetDescription = Type.Static<typeof DatasetDescription>

/** Describes a dataset in detail. */
export function describeDataset(
  { name, path, record, list }: Dataset,
  entry: CatalogueEntry,
  known: {
    release: Release | undefined
    /** Absent if no release is served. */
    profile: Profile | undefined
    formats: readonly RecordFormat[]
    routes: readonly Route[]
    source: SourceState | undefined
    now: number
  },
): DatasetDescription {
  const { release, profile, formats, routes, source, now } = known
  return {
    ...entry,
    changes: release?.changes ?? null,
    freshness: {
      ageSeconds: ageSeconds(entry, now),
      sourceCheckedAt: source?.succeededAt ?? null,
      sourceTriedAt: source?.triedAt ?? null,
      sourceDays: [...(source?.days ?? [])],
    },
    spatial: profile === undefined ? null : { bbox: profile.bbox },
    temporal: profile?.period ?? null,
    fields: describeFields(record, profile?.otherValues),
    formats: [JSON_FORMAT, ...formatsFor(formats, list.item ?? record)].map(({ name, mediaType }) => ({
      name,
      mediaType,
      path: name === JSON_FORMAT.name ? path : `${path}.${name}`,
    })),
    endpoints: endpointsOf(name, routes),
    warnings: [...(profile?.warnings ?? [])],
  }
}

/** The endpoints with the dataset's tag, and the endpoints of the catalogue that every dataset has. */
function endpointsOf(name: string, routes: readonly Route[]): DatasetDescription['endpoints'] {
  return routes.flatMap(({ tag, path, operation }) => {
    const own = tag === name ? path : path.replace(/^\/v1\/datasets\/:\w+\//, `/v1/datasets/${name}/`)
    if (operation === undefined || (tag !== name && own === path)) return []
    return [{ path: own.replaceAll(/:(\w+)/g, '{$1}'), title: operation.summary }]
  })
}

/** When a description last changed: through its release, a check of its source, or its age. */
export function lastChange({ updatedAt, freshness }: DatasetDescription, startedAt: Date): Date {
  const { ageSeconds, sourceTriedAt } = freshness
  const aged = updatedAt === null || ageSeconds === null ? 0 : Date.parse(updatedAt) + ageSeconds * 1000
  return new Date(Math.max(startedAt.getTime(), aged, sourceTriedAt === null ? 0 : Date.parse(sourceTriedAt)))
}

/** In whole minutes, so that a description stays the same for as long as it may be cached. */
function ageSeconds({ updatedAt }: CatalogueEntry, now: number): number | null {
  return updatedAt === null ? null : Math.max(0, Math.floor((now - Date.parse(updatedAt)) / MINUTE_MS)) * 60
}

interface CatalogueOptions {
  readonly datasets: readonly Dataset[]
  readonly snapshots: Snapshots
  /** The datasets that the operator has taken out of service. */
  readonly unavailable: ReadonlySet<string>
  readonly metadata: Metadata
  /** The formats of lists, in addition to JSON. */
  readonly formats: readonly RecordFormat[]
  /** All routes of the service, read at each use. */
  readonly routes: readonly Route[]
  /** The state of a dataset's source; undefined if none is followed, or before its first check. */
  readonly sourceOf: (dataset: string) => SourceState | undefined
}

/** The descriptions of the service's datasets. */
export interface Catalogue {
  /** The names of the datasets, in the order of their presentation. */
  readonly names: readonly string[]
  /** A short description of every dataset. */
  entries(): CatalogueEntry[]
  /** The dataset with a name in detail. Reads a release only at the first call. Throws NOT_FOUND for an unknown name. */
  describe(name: string | undefined): Promise<DatasetDescription>
}

/** Creates the catalogue of the datasets. */
export function createCatalogue(options: CatalogueOptions): Catalogue {
  const { datasets, snapshots, formats, routes, sourceOf } = options
  const profiled = datasets.map(dataset => ({
    dataset,
    profile: oncePerSnapshot(snapshot => profileOf(dataset, snapshot)),
  }))
  return {
    names: datasets.map(({ name }) => name),
    entries: () => datasets.map(dataset => entryOf(dataset, options)),
    async describe(name) {
      const { dataset, profile } = datasetNamed(profiled, name)
      const snapshot = snapshots.get(dataset.name)
      const entry = entryOf(dataset, options)
      return describeDataset(dataset, entry, {
        release: snapshot?.release,
        formats,
        routes,
        source: sourceOf(dataset.name),
        now: Date.now(),
        profile: snapshot && (await profile(snapshot)),
      })
    },
  }
}
