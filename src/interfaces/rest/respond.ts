import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { DatasetOperation, ReleaseReference, ServedDataset } from '../../datasets/dataset.ts'
import { describeRelease, type ReleaseInfo } from '../../datasets/release-representation.ts'
import type { Representation } from '../../http/representation.ts'
import { fieldsOf } from '../../query/fields.ts'
import { hasGeometry } from '../../query/geometry.ts'
import { type FieldParameters, fieldParameters, type ParameterValues } from '../../query/parameters.ts'
import { PLACE_PARAMETERS, placeOf } from '../../query/place-parameters.ts'
import type { Collection, Query, Result, RowBatch, Selection } from '../../query/query.ts'
import { chain, type MaybePromise } from '../../values/promises.ts'

const NONE: readonly string[] = []

/** The parameters of an operation that select records, and the selection that their values make. */
export interface SelectionParameters extends Pick<FieldParameters, 'parameters' | 'sort'> {
  /** The parameters without `sort`. */
  readonly narrowing: FieldParameters['parameters']
  /** Throws {@link InvalidParameter} for values that contradict each other. */
  select(values: ParameterValues): Selection
}

/** The parameters derived from the dataset's fields, unless the operation declares its own, and the parameters of places. */
export function selectionOf(
  { dataset, snapshotIfAny }: Pick<ServedDataset, 'dataset' | 'snapshotIfAny'>,
  { parameters: own = derived => derived }: Pick<DatasetOperation, 'parameters'> = {},
): SelectionParameters {
  const derived = fieldParameters(fieldsOf(dataset.record), {
    noun: dataset.noun,
    heldValues: field => snapshotIfAny()?.heldValues[field] ?? NONE,
  })
  const declared = own(derived)
  const hasPlaces = hasGeometry(dataset.record)
  const parameters: FieldParameters['parameters'] = hasPlaces
    ? { ...declared.parameters, ...PLACE_PARAMETERS }
    : declared.parameters
  const { sort: _sort, ...narrowing } = parameters
  return {
    ...declared,
    parameters,
    narrowing,
    select(values) {
      return { place: hasPlaces ? placeOf(values) : undefined, filters: declared.filters(values) }
    },
  }
}

/** A page with a larger `limit` is streamed: as one buffer, it would take megabytes for each client that reads it. */
export const LONGEST_BUFFERED_PAGE = 1000

/** The body made from a collection: one buffer if it is rendered already, otherwise chunks. */
export interface Written {
  readonly content: Buffer | AsyncIterable<Uint8Array>
  /** The bytes that the chunks hold until the last one. */
  readonly heldBytes?: number | undefined
  readonly link?: string | undefined
}

interface Answer {
  /** Distinguishes the response from others of the release. */
  readonly key: string
  /** Whether the body is streamed. */
  readonly isLong?: boolean
  /** The release to read from; by default the current one. */
  readonly from?: ReleaseReference | undefined
  readonly write: (collection: Collection) => MaybePromise<Written>
}

/**
 * Responds with the records that a query selects. The body is read from one snapshot and described by it, so that both are of
 * one release.
 */
export function respondFrom(
  { dataset, snapshot, readSnapshot }: ServedDataset,
  { key, isLong = false, from, write }: Answer,
): Representation {
  const describe = (release: ReleaseInfo) => describeRelease(release, dataset.maxAge, key)
  const read = <T extends object>(finish: (content: Written['content']) => MaybePromise<T>) =>
    readSnapshot(
      ({ release, collection }) =>
        chain(write(collection), ({ content, ...about }) =>
          chain(finish(content), finished => ({ ...describe(release), ...about, ...finished })),
        ),
      from,
    )
  const open = () =>
    read(content => ({ chunks: Buffer.isBuffer(content) ? Readable.from(content) : content }))
  const make = () =>
    read(content => chain(Buffer.isBuffer(content) ? content : buffer(content), body => ({ body })))
  return { ...describe(snapshot().release), body: isLong ? { open } : make }
}

/** Responds with the result of a query, which `write` renders. */
export const respondList = (
  context: ServedDataset,
  query: Query,
  { write, ...answer }: Omit<Answer, 'write'> & { write(result: Result): Written },
): Representation =>
  respondFrom(context, { ...answer, write: collection => chain(collection.execute(query), write) })

/** The JSON before and after the entries of a list without pages. */
export const LIST_FRAME = ['{"results":[', ']}'] as const

const CHUNK_BYTES = 131_072

/** The same bytes as a buffered page: its records between `before` and `after`, joined by commas. */
export async function* streamPage(
  batches: AsyncIterable<RowBatch>,
  [before, after]: readonly [before: string, after: string],
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(before)
  let separator = ''
  for await (const batch of batches) {
    if (batch.length === 0) continue
    const json = batch.json()
    if (separator !== '') yield Buffer.from(separator)
    for (let at = 0; at < json.length; at += CHUNK_BYTES) yield json.subarray(at, at + CHUNK_BYTES)
    separator = ','
  }
  yield Buffer.from(after)
}
