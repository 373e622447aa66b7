import type { Layout } from '../../query/layout.ts'
import type { StoredRecord } from '../../query/query.ts'
import { abortable } from '../../values/promises.ts'
import { contentOf, type Measures } from '../encoding/content.ts'
import { countChanges, countRepeated, type Measured } from '../encoding/digests.ts'
import type { Staging, StoredDataset } from '../store.ts'
import { enterRelease, keptRelease, keptReleases, nextNumber, type PlacedFile } from './releases.ts'
import type { InsertRows } from './tables.ts'
import type { ReleaseWriter } from './writer.ts'

/** The content of a release, built where no reader looks. */
export interface BuiltRelease {
  readonly file: PlacedFile
  readonly measures: Measures
  remove(): Promise<void>
}

/** Builds the content of a release whose number is known. */
export async function buildRelease(
  writer: Pick<ReleaseWriter, 'startRelease'>,
  { name, layout, keyOf }: StoredDataset,
  number: number,
  records: AsyncIterable<StoredRecord>,
  onPhase: (phase: string) => void = () => {},
  signal?: AbortSignal,
): Promise<BuiltRelease> {
  const builder = await writer.startRelease(name, layout)
  try {
    for await (const record of records) await builder.append(keyOf(record), record, contentOf(record))
    const measures = await abortable(builder.seal(onPhase), signal)
    return { file: await builder.place(number), measures, remove: builder.remove }
  } catch (error) {
    await builder.remove().catch(() => undefined)
    throw error
  }
}

/**
 * Starts a release. Publishing or discarding it releases the writer's lock. Once the signal is aborted, the release cannot
 * be published, but a publication that has begun completes.
 */
export async function startStaging(
  writer: ReleaseWriter,
  insert: InsertRows,
  dataset: string,
  layout: Layout,
  signal?: AbortSignal | undefined,
  keep?: string,
): Promise<Staging> {
  const { registry } = writer
  let sealed: Measured | undefined
  let placedName: string | undefined
  /** Why no more records can be added. After an error the engine may have dropped earlier records. */
  let closed: unknown
  /** Set by the first discard: an interrupted import and its interrupter both discard the release. */
  let ending: Promise<void> | undefined

  function fail(error: unknown): never {
    closed = writer.toStoreError(error)
    throw closed
  }
  function requireOpen(): void {
    if (closed !== undefined) throw closed
  }
  function requireSealed() {
    if (sealed === undefined || ending !== undefined)
      throw new Error('only a sealed release can be compared and published, until it is published')
    return sealed
  }
  /** Removes content and releases the lock, once. If the removal fails, the next sweep removes the content. */
  function end(remove: () => Promise<unknown>): Promise<void> {
    // The source may go on for a moment, and a record must not arrive during the removal.
    closed ??= new Error('the release was published or discarded')
    ending ??= remove()
      .catch(() => undefined)
      .then(writer.unlock)
    return ending
  }

  const draft = await writer.startRelease(dataset, layout).catch(async (error: unknown) => {
    await writer.unlock()
    return fail(error)
  })

  async function removeUnpublished(): Promise<void> {
    // The release may be published in spite of an error. Its content must then stay.
    const kept = placedName === undefined ? [] : await keptReleases(registry, dataset)
    if (!kept.some(({ name }) => name === placedName)) await draft.remove()
  }

  return {
    append(key, record, json = contentOf(record)) {
      requireOpen()
      try {
        return draft.append(key, record, json)?.catch(fail)
      } catch (error) {
        // Only this record cannot be stored; the release can go on.
        if (error instanceof TypeError || error instanceof RangeError) throw error
        return fail(error)
      }
    },
    async seal(onPhase = () => {}) {
      requireOpen()
      closed = new Error('the release is sealed')
      sealed = await draft.seal(onPhase).catch(fail)
      const { rows, hash, digests } = sealed
      return { rows, hash, repeated: countRepeated(digests) }
    },
    async changesSince(release) {
      const { rows, digests } = requireSealed()
      if (release === undefined) return { added: rows, changed: 0, removed: 0 }
      const kept = await keptRelease(registry, release.dataset, release.number)
      return countChanges(writer.digests(kept, layout), release.rows, digests).catch(fail)
    },
    async publish(details) {
      signal?.throwIfAborted()
      const { rows, hash, digest } = requireSealed()
      try {
        const number = await nextNumber(registry, dataset)
        const file = await draft.place(number)
        placedName = file.name
        const entry = { dataset, number, hash, rows, digest }
        await writer.write(transaction => enterRelease(transaction, insert, entry, file, details, keep))
        const { release } = await keptRelease(registry, dataset, number)
        await end(writer.removeLeftovers)
        return release
      } catch (error) {
        return fail(error)
      }
    },
    discard: () => end(removeUnpublished),
  }
}
