import type { Layout } from '../../query/layout.ts'
import { contentOf } from '../encoding/content.ts'
import { countChanges, countRepeated, type Measured } from '../encoding/digests.ts'
import type { Staging } from '../store.ts'
import { enterRelease, keptRelease, keptReleases, nextNumber } from './releases.ts'
import type { ReleaseWriter } from './writer.ts'

/**
 * Starts a release. The writer's lock is released once the release is published or discarded. Once the signal is
 * aborted, the release cannot be published; a publication that has begun completes.
 */
export async function startStaging(
  writer: ReleaseWriter,
  dataset: string,
  layout: Layout,
  signal?: AbortSignal | undefined,
): Promise<Staging> {
  const { registry } = writer
  let sealed: Measured | undefined
  let placedName: string | undefined
  /** Why nothing can be added any more. After an error the engine may have dropped earlier records. */
  let closed: unknown
  /** An interrupted import and its interrupter both discard the release. */
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
  /** Removes what nobody needs and releases the lock, once. The next sweep removes what cannot be removed now. */
  function end(remove: () => Promise<unknown>): Promise<void> {
    // Its source may go on for a moment: a record that came now would break into the removal.
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
    // After an error the release may be published nevertheless, and then its content must stay.
    const kept = placedName === undefined ? [] : await keptReleases(registry, dataset)
    if (!kept.some(({ name }) => name === placedName)) await draft.remove()
  }

  return {
    append(key, record, json = contentOf(record)) {
      requireOpen()
      try {
        return draft.append(key, record, json)?.catch(fail)
      } catch (error) {
        // A record that cannot be stored is refused alone.
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
      return countChanges(() => writer.digests(kept, layout), release.rows, digests).catch(fail)
    },
    async publish(details) {
      signal?.throwIfAborted()
      const { rows, hash, digest } = requireSealed()
      try {
        const number = await nextNumber(registry, dataset)
        const file = await draft.place(number)
        placedName = file.name
        const entry = { dataset, number, hash, rows, digest }
        await writer.write(transaction => enterRelease(transaction, entry, file, details))
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
