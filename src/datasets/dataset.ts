import type { Static, TObject } from 'typebox'
import type { RecordFormat } from '../formats/format.ts'
import type { ContentStream } from '../http/representation.ts'
import type { Router } from '../http/router.ts'
import { fieldsOf } from '../query/fields.ts'
import type { Column, Layout } from '../query/layout.ts'
import type { FieldParameters, ParameterValues } from '../query/parameters.ts'
import type { StoredRecord } from '../query/query.ts'
import type { Differences, Sides } from '../releases/diff/diff.ts'
import type { Importable } from '../releases/import/importable.ts'
import type { Snapshot } from '../releases/snapshots/snapshot.ts'
import type { CountsThen, Release } from '../store/store.ts'
import type { MaybePromise } from '../values/promises.ts'
import { HOUR_S } from '../values/time-units.ts'

/**
 * The declaration of a dataset: its description, its record, how sources are read, where it is served.
 * Import, validation, storage, queries, OpenAPI and the catalogue follow from it.
 */
export interface Dataset<R extends StoredRecord = StoredRecord> extends Importable {
  transform?(record: R): R
  readonly title: string
  /** One sentence for people in search of data. */
  readonly description: string
  /** The noun for the records in descriptions of parameters. */
  readonly noun: string
  /** How long responses may be cached, in seconds. */
  readonly maxAge: number
  /** The path of the list, which the catalogue links. */
  readonly path: string
  readonly list: List
  /** Endpoints that count by fixed fields, in addition to `/stats`, which counts by all fields with `count`. */
  readonly counts?: readonly Counts[]
  /** The date that is counted by year and month: a field, or a function of parameters that selects the field. */
  readonly dates?: string | ((values: ParameterValues) => string)
  /** Adds the endpoint of one record, if its path is not by `id` or its record differs from the list's. */
  readonly recordRoute?: (router: Router, context: ServedDataset) => void
  /** The feed of the records; absent if the records are no news. */
  readonly news?: NewsDeclaration<R>
}

/** The feed of a dataset's records. */
export interface NewsDeclaration<R = StoredRecord> extends Pick<DatasetOperation, 'operationId' | 'summary'> {
  /** The field with the date of the news. */
  readonly date: string
  /** The path of the page that lists the records for people. */
  readonly page: string
  describe(record: R): News
}

/** A record as a piece of news. All texts except `html` are plain; a missing text is empty. */
export interface News {
  readonly title: string
  readonly summary: string
  /** A page with more about the news. */
  readonly url: string
  readonly image: string
  readonly tags: readonly string[]
  /** Further facts, each with its label. */
  readonly facts: readonly (readonly [label: string, value: string])[]
  /** Safe HTML. */
  readonly html: string
}

/** The endpoint that lists the records. */
export interface List extends DatasetOperation {
  readonly description?: string
  /** The schema of an entry, if it lacks fields of the record. */
  readonly item?: TObject
  /** The default number of entries per page. If absent, the list is served whole. */
  readonly pageLength?: number
  /** Whether the operator's limit of requests per hour and client applies here. */
  readonly isRateLimited?: boolean
}

/** An endpoint that counts the records. */
export interface Counts extends DatasetOperation {
  readonly path: string
  /** Another path with the same responses. */
  readonly alias?: string
  /** The field to count by: its values are the names of the counts. Or several fields: their groups are listed. */
  readonly by: string | readonly string[]
}

/** The names and parameters of an operation of a dataset. */
export interface DatasetOperation {
  readonly operationId: string
  readonly summary: string
  /** Makes the endpoint's parameters from the parameters of the fields. If absent, the latter are used as they are. */
  readonly parameters?: ((derived: FieldParameters) => FieldParameters) | undefined
}

type RecordOf<S extends TObject> = Static<S> & StoredRecord

/** Properties of a declaration with a default. */
type Usual = Pick<Dataset, 'noun' | 'columnAliases' | 'rejectLimit' | 'maxAge'>

/** The declaration of a dataset. The dataset's own functions get records typed by its schema. */
type Declaration<S extends TObject> = Partial<Usual> &
  Omit<Dataset<RecordOf<S>>, 'layout' | 'record' | 'path' | keyof Usual> & {
    readonly record: S
    readonly orderBy?: string | undefined
  }

/**
 * Completes a declaration: its noun is the name, responses may be cached for an hour, and no row may be rejected. With
 * `orderBy`, the storage is a table with one column per field, newest first by that date, otherwise records as JSON.
 */
export const declareDataset = <S extends TObject>({
  orderBy,
  ...dataset
}: Declaration<S>): Dataset<RecordOf<S>> => ({
  noun: dataset.name.replaceAll('-', ' '),
  columnAliases: {},
  rejectLimit: { rows: 0 },
  maxAge: HOUR_S,
  ...dataset,
  path: `/v1/${dataset.name}`,
  layout: layoutOf(dataset.record, orderBy),
})

const COLUMN_TYPES: Readonly<Record<string, Column['type']>> = {
  text: 'word',
  date: 'day',
  number: 'number',
  digest: 'digest',
}

function layoutOf(record: TObject, orderBy: string | undefined): Layout {
  if (orderBy === undefined) return { kind: 'documents' }
  const columns = fieldsOf(record).map(({ name, kind }) => {
    const type = COLUMN_TYPES[kind]
    if (type === undefined) throw new TypeError(`field "${name}" cannot be a column of a table`)
    return { name, type }
  })
  return { kind: 'table', columns, newestFirstBy: orderBy }
}

/** A release by its number and the beginning of its hash, because a new store counts from 1 again. */
export interface ReleaseReference {
  readonly number: number
  readonly hash: string
}

/** The public fields of a record; undefined if all fields are public. */
export const shownFields = ({ list }: Dataset): readonly string[] | undefined =>
  list.item && Object.keys(list.item.properties)

/** The last version of a record that has left its list. */
export interface RemovedRecord {
  readonly record: StoredRecord
  /** When the list was published without it. */
  readonly removedAt: string
}

/** The history of a dataset: the releases that the store keeps, and their differences. */
interface Past {
  /** Newest first, read once for each release that is served; empty if no release is served. */
  kept(): Promise<readonly Release[]>
  /** The counts of all releases that were current, oldest first, read once for each release that is served. */
  counts(): Promise<readonly CountsThen[]>
  /** The records of earlier kept releases that the served one lacks, read once for each release that is served. */
  removed(): Promise<readonly RemovedRecord[]>
  /** Compares the public fields of two releases in this thread. The differences can be read until `use` has ended. */
  compare<T>(sides: Sides, use: (differences: Differences) => Promise<T>): Promise<T>
  /**
   * Compares in a separate thread. Resolves to a stream once everything is written in the format. Throws the problem OVERLOADED
   * while another comparison runs.
   */
  writeApart(sides: Sides, format: 'json' | 'ndjson'): Promise<ContentStream>
}

/** A dataset in the running service, as its routes read it. */
export interface ServedDataset {
  /** The dataset's own declaration. */
  readonly dataset: Dataset
  /** The current snapshot. Throws the problem DATASET_UNAVAILABLE if no release is served. */
  snapshot(): Snapshot
  /**
   * Reads from the current snapshot, or from the snapshot of another release. Throws the problem of {@link snapshot}, and
   * CURSOR_EXPIRED if the other release cannot be read any more.
   */
  readSnapshot<T>(read: (snapshot: Snapshot) => MaybePromise<T>, release?: ReleaseReference): MaybePromise<T>
  /** The current snapshot; undefined before the first. */
  snapshotIfAny(): Snapshot | undefined
  /** The current release; undefined before the first. The object stays the same until the release changes. */
  release(): Release | undefined
  readonly past: Past
  /** Throws the problem DATASET_UNAVAILABLE if the operator has taken the dataset out of service. */
  requireInService(): void
}

/** The interface of a dataset's routes to the running service, with the formats and limits of its routes. */
export interface DatasetContext extends ServedDataset {
  /** The formats of lists and counts, in addition to the JSON of the contract. */
  readonly formats: readonly RecordFormat[]
  /** The largest `limit` of a page. */
  readonly pageLimitMax: number
  /** Requests per hour and client on a list that is rate-limited; 0 = off. */
  readonly requestsPerHour: number
}
