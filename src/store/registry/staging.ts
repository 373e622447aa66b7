import type { Layout } from '../../query/layout.ts'
import { contentOf } from '../encoding/content.ts'
import { countChanges, countRepeated } from '../encoding/digests.ts'
import type { Staging } from '../store.ts'
import { type Draft, startDraft } from './build-release.ts'
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
  let isComplete = false
  let sealed: Awaited<ReturnType<Draft['seal']>> | undefined
  let placed: { number: number; name: string } | undefined
  /** After an error the engine may have dropped earlier records, so nothing can follow it. */
  let failure: { readonly error: unknown } | undefined
  let ended = false
  /** An interrupted import and its interrupter both discard the release. */
  let discarding: Promise<void> | undefined

  function fail(thrown: unknown): never {
    const error = writer.toStoreError(thrown)
    failure ??= { error }
    throw error
  }
  async function explained<T>(work: () => Promise<T>): Promise<T> {
    return await work().catch(fail)
  }
  async function end(): Promise<void> {
    if (ended) return
    ended = true
    await writer.unlock()
  }

  const starting = explained(() => startDraft(writer, dataset, layout))
  const draft = await starting.catch(async (error: unknown) => {
    await end()
    throw error
  })

  /** After an error the release may be published nevertheless, and then its content must stay. */
  async function isPublished(): Promise<boolean> {
    if (placed === undefined) return false
    const { number, name } = placed
    const kept = await keptReleases(registry, dataset)
    return kept.some(({ release, ...one }) => release.number === number && one.name === name)
  }

  async function discard(): Promise<void> {
    if (ended) return
    try {
      if (!(await isPublished())) await draft.remove()
    } catch {
      // The next sweep removes the rest.
    } finally {
      await end()
    }
  }

  return {
    append(key, record, json) {
      try {
        if (failure !== undefined) throw failure.error
        if (isComplete) throw new Error('the release is sealed: nothing can be added to it')
        return draft.append(key, record, json ?? contentOf(record))?.catch(fail)
      } catch (error) {
        // A record that cannot be stored is refused alone.
        const isRefused = error instanceof TypeError || error instanceof RangeError
        return isRefused ? Promise.reject(error) : explained(() => Promise.reject(error))
      }
    },
    seal: (onPhase = () => {}) =>
      explained(async () => {
        if (failure !== undefined) throw failure.error
        if (isComplete) throw new Error('the release is sealed already')
        isComplete = true
        sealed = await draft.seal(onPhase)
        const { rows, hash, digests } = sealed
        return { rows, hash, repeated: countRepeated(digests) }
      }),
    async changesSince(release) {
      if (sealed === undefined || ended) throw new Error('only a sealed release can be compared')
      const { rows, digests } = sealed
      if (release === undefined) return { added: rows, changed: 0, removed: 0 }
      const kept = await keptRelease(registry, release.dataset, release.number)
      return explained(() => countChanges(() => writer.digests(kept, layout), release.rows, digests))
    },
    async publish(details) {
      signal?.throwIfAborted()
      if (sealed === undefined || ended) throw new Error('only a sealed release can be published, and once')
      const { rows, hash, digest } = sealed
      const release = await explained(async () => {
        const number = await nextNumber(registry, dataset)
        const file = await draft.place(number)
        placed = { number, name: file.name }
        const entry = { dataset, number, hash, rows, digest }
        await writer.write(transaction => enterRelease(transaction, entry, file, details))
        return (await keptRelease(registry, dataset, number)).release
      })
      // What cannot be removed now is left to the next sweep.
      await writer.removeLeftovers().catch(() => undefined)
      await end()
      return release
    },
    discard() {
      discarding ??= discard()
      return discarding
    },
  }
}
