import { rm } from 'node:fs/promises'
import type { Layout } from '../../layout.ts'
import { type Staging, UnknownReleaseError } from '../../store.ts'
import { toStoreError } from '../faults.ts'
import { releasePath } from '../paths.ts'
import type { Registry } from '../registry.ts'
import { putInPlace, verifyFile } from '../release-file.ts'
import { enterRelease, keptRelease, nextNumber } from '../release-rows.ts'
import { changesBetween } from './changes.ts'
import { type ReleaseBuilder, type Sealed, startRelease } from './release-builder.ts'

/** Starts a release under the write lock, which `unlock` releases once the release is published or discarded. */
export async function startStaging(
  store: { readonly folder: string; readonly registry: Registry; readonly unlock: () => void },
  dataset: string,
  layout: Layout,
): Promise<Staging> {
  const { folder, registry } = store
  let sealed: Sealed | undefined
  let ended = false

  /** Maps errors of the disk or the folder to ones for the operator. */
  async function explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw toStoreError(error, folder)
    }
  }
  function end(): void {
    if (ended) return
    ended = true
    store.unlock()
  }

  let builder: ReleaseBuilder
  try {
    builder = await explained(() => startRelease(folder, dataset, layout))
  } catch (error) {
    end()
    throw error
  }

  return {
    append(key, record, json) {
      try {
        builder.append(key, record, json)
        return undefined
      } catch (error) {
        return Promise.reject(toStoreError(error, folder))
      }
    },
    seal: onPhase =>
      explained(async () => {
        sealed = await builder.seal(onPhase)
        return sealed
      }),
    async changesSince(release) {
      if (sealed === undefined || ended) throw new Error('only a sealed release can be compared')
      if (release === undefined) return { added: sealed.rows, changed: 0, removed: 0 }
      const path = releasePath(folder, release.dataset, release.number)
      await verifyFile(path, await keptRelease(registry, release.dataset, release.number))
      return explained(async () => changesBetween(path, builder.path))
    },
    async publish(details) {
      if (sealed === undefined || ended) throw new Error('only a sealed release can be published, and once')
      const { rows, hash } = sealed
      const number = await nextNumber(registry, dataset)
      const path = releasePath(folder, dataset, number)
      await explained(async () => {
        const fileSha256 = await putInPlace(builder.path, path)
        try {
          const gone = await enterRelease(registry, { dataset, number, hash, rows, fileSha256 }, details)
          await removeFiles(gone)
        } catch (error) {
          await removeUnlessEntered(number)
          throw error
        }
      })
      end()
      return (await keptRelease(registry, dataset, number)).release
    },
    async discard() {
      if (ended) return
      await builder.remove().finally(end)
    },
  }

  /** After a disk error the release may be registered nevertheless, and then its file must stay. */
  async function removeUnlessEntered(number: number): Promise<void> {
    try {
      await keptRelease(registry, dataset, number)
    } catch (error) {
      if (error instanceof UnknownReleaseError) await removeFiles([number])
    }
  }

  /** A file that cannot be removed now is left to the next sweep. */
  async function removeFiles(numbers: readonly number[]): Promise<void> {
    for (const number of numbers)
      await rm(releasePath(folder, dataset, number), { force: true }).catch(() => undefined)
  }
}
