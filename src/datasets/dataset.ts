import type { Static, TObject } from 'typebox'
import type { RecordFormat } from '../formats/format.ts'
import type { ContentStream } from '../http/response/representation.ts'
import type { Router } from '../http/routing/router.ts'
import { fieldsOf } from '../query/fields.ts'
import type { Column, Layout } from '../query/layout.ts'
import type { FieldParameters, ParameterValues } from '../query/parameters/parameter-values.ts'
import type { StoredRecord } from '../query/query.ts'
import type { Differences, Sides } from '../releases/diff/diff.ts'
import type { Importable } from '../releases/import/importable.ts'
import type { Snapshot } from '../releases/snapshots/snapshot.ts'
import type { Release } from '../store/store.ts'
import type { MaybePromise } from '../values/promises.ts'

/**
 * The declaration of a dataset: its description, its record, how sources are read, where it is served.
 * Import, validation, storage, queries, OpenAPI and the catalogue follow from it.
 */
export interface Dataset<R extends StoredRecord = StoredRecord> extends Importable {
  transform?(record: R): R
  readonly title: string
  /** One sentence for people who look for data. */
  readonly description: string
  /** The noun for the records in descriptions of parameters. */
  readonly noun: string
  /** The date of a record, where the dataset covers a period. */
  readonly datedBy?: string
  /** How long responses may be cached, in seconds. */
  readonly maxAge: number
  /** The path of the list, as the catalogue links it. */
  readonly path: string
  readonly list: List
  /** Endpoints that count by fields of their own, besides `/stats`, which follows from the fields that say `count`. */
  readonly counts?: readonly Counts[]
  /** The date whose years and months are counted: a field, or the one that parameters select. */
  readonly dates?: string | ((values: ParameterValues) => string)
  /** Adds the endpoint of one record, where it is not by `id` or differs from the entry of the list. */
  readonly recordRoute?: (router: Router, context: DatasetContext) => void
  /** Tells of the records in a feed; absent where they are no news. */
  readonly news?: NewsDeclaration<R>
}

/** The feed of a dataset's records. */
export interface NewsDeclaration<R = StoredRecord> extends Pick<DatasetOperation, 'operationId' | 'summary'> {
  /** The field with the date of the news. */
  readonly date: string
  /** The path of the page that lists them for people. */
  readonly page: string
  describe(record: R): News
}

/** A record as a piece of news. All texts but `html` are plain; those that are missing are empty. */
export interface News {
  readonly title: string
  readonly summary: string
  /** Where to read more. */
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
  /** The schema of an entry, where it does not show every field of the record. */
  readonly item?: TObject
  /** Entries per page by default; without it the list is served whole. */
  readonly pageLength?: number
  /** Whether the operator's limit of requests per hour and client holds here. */
  readonly isRateLimited?: boolean
}

/** An endpoint that counts the records. */
export interface Counts extends DatasetOperation {
  readonly path: string
  /** Another path with the same responses. */
  readonly alias?: string
  /** The field to count by, whose values are the names of the counts; or several, whose groups are listed. */
  readonly by: string | readonly string[]
}

/** The names and parameters of an operation of a dataset. */
export interface DatasetOperation {
  readonly operationId: string
  readonly summary: string
  /** The endpoint's own parameters, made from those that follow from the fields; just the latter where absent. */
  readonly parameters?: (derived: FieldParameters) => FieldParameters
}

type RecordOf<S extends TObject> = Static<S> & StoredRecord

/** The declaration of a dataset, whose own code gets records of its schema. */
type Declaration<S extends TObject> = Omit<Dataset<RecordOf<S>>, 'layout' | 'record' | 'noun'> & {
  readonly record: S
  /** The name where absent. */
  readonly noun?: string
  readonly orderBy?: string
}

/**
 * Completes a declaration with its storage: with `orderBy` a table with one column per field, newest first by that date, else
 * records as JSON.
 */
export const declareDataset = <S extends TObject>({
  orderBy,
  ...dataset
}: Declaration<S>): Dataset<RecordOf<S>> => ({
  noun: dataset.name.replaceAll('-', ' '),
  ...dataset,
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

/** A release by its number and the beginning of its hash: a store that was made anew counts from 1 again. */
export interface ReleaseReference {
  readonly number: number
  readonly hash: string
}

/** The fields of a record that are public; all where absent. */
export const shownFields = ({ list }: Dataset): readonly string[] | undefined =>
  list.item && Object.keys(list.item.properties)

/** What a dataset was: the releases that the store keeps, and how they differ. */
interface Past {
  /** Newest first, read once for each release that is served; empty where none is. */
  kept(): Promise<readonly Release[]>
  /** Compares the public fields of two of them here; the differences can be read until `use` has ended. */
  compare<T>(sides: Sides, use: (differences: Differences) => Promise<T>): Promise<T>
  /**
   * The same in a thread of its own, whose stream opens when all is written in the format. Throws the problem OVERLOADED while
   * another comparison is made.
   */
  writeApart(sides: Sides, format: 'json' | 'ndjson'): Promise<ContentStream>
}

/** The interface of a dataset's routes to the running service. */
export interface DatasetContext {
  /** The dataset's own declaration. */
  readonly dataset: Dataset
  /** The current snapshot. Throws the problem DATASET_UNAVAILABLE if no release is served. */
  snapshot(): Snapshot
  /**
   * Reads from the current snapshot, or from that of another release; throws as {@link snapshot} does, and CURSOR_EXPIRED
   * where the other release cannot be read any more.
   */
  readSnapshot<T>(read: (snapshot: Snapshot) => MaybePromise<T>, release?: ReleaseReference): MaybePromise<T>
  /** The snapshot that is served now; undefined before the first. */
  snapshotIfAny(): Snapshot | undefined
  /** The release that is served now; undefined before the first. The object stays the same until the release changes. */
  release(): Release | undefined
  readonly past: Past
  /** Throws the problem DATASET_UNAVAILABLE where the operator has taken the dataset out of service. */
  requireInService(): void
  /** The formats in which lists and counts are served, besides the JSON of the contract. */
  readonly formats: readonly RecordFormat[]
  /** The largest `limit` of a page. */
  readonly pageLimitMax: number
  /** Requests per hour and client on GET /v1/vehicles; 0 = off. */
  readonly vehiclesRateLimit: number
}
