import type { Layout } from '../../query/layout.ts'
import { contentOf, recordDigest, releaseHash } from '../encoding/content.ts'
import { countChanges, countRepeated, gatherDigests } from '../encoding/digests.ts'
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
  const hash = releaseHash()
  const sum = recordDigest()
  const gathered = gatherDigests()
  let digests: Uint8Array | undefined
  let rows = 0
  let sealed: Awaited<ReturnType<Staging['seal']>> | undefined
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

  const starting = explained(() => writer.startRelease(dataset, layout))
  const builder = await starting.catch(async (error: unknown) => {
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
      if (!(await isPublished())) await builder.remove()
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
        if (digests !== undefined) throw new Error('the release is sealed: nothing can be added to it')
        const content = json ?? contentOf(record)
        const appended = builder.append(record, content)
        hash.add(content)
        sum.add(gathered.add(key, content))
        rows++
        return appended?.catch(fail)
      } catch (error) {
        // A record that cannot be stored is refused alone.
        const isRefused = error instanceof TypeError || error instanceof RangeError
        return isRefused ? Promise.reject(error) : explained(() => Promise.reject(error))
      }
    },
    seal: (onPhase = () => {}) =>
      explained(async () => {
        if (failure !== undefined) throw failure.error
        if (digests !== undefined) throw new Error('the release is sealed already')
        digests = gathered.bytes()
        const repeated = countRepeated(digests)
        await builder.seal(digests, onPhase)
        sealed = { rows, hash: hash.digest(), repeated }
        return sealed
      }),
    async changesSince(release) {
      if (sealed === undefined || digests === undefined || ended)
        throw new Error('only a sealed release can be compared')
      if (release === undefined) return { added: sealed.rows, changed: 0, removed: 0 }
      const kept = await keptRelease(registry, release.dataset, release.number)
      const after = digests
      return explained(() => countChanges(() => writer.digests(kept, layout), release.rows, after))
    },
    async publish(details) {
      signal?.throwIfAborted()
      if (sealed === undefined || ended) throw new Error('only a sealed release can be published, and once')
      const { hash: published } = sealed
      const release = await explained(async () => {
        const number = await nextNumber(registry, dataset)
        const file = await builder.place(number)
        placed = { number, name: file.name }
        const entry = { dataset, number, hash: published, rows, digest: sum.digest() }
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
