import { randomInt } from 'node:crypto'
import type { Layout } from '../../layout.ts'
import type { Staging } from '../../store.ts'
import type { Target } from '../connect/address.ts'
import { singleConnection } from '../connect/dialect.ts'
import { toReadError, toStoreError } from '../connect/faults.ts'
import { registryOver, releasesOf } from '../registry.ts'
import { enterRelease, keptRelease } from '../release-rows.ts'
import { changesBetween } from './changes.ts'
import { type Sealed, startRelease } from './release-builder.ts'
import { dropLeftovers, dropRelease, releaseTables } from './release-tables.ts'
import type { WriteLock } from './write-lock.ts'

/**
 * Starts a release over the connection of the write lock, which is released once the release is published or discarded.
 * Losing the connection loses the right to publish.
 */
export async function startStaging(
  target: Target,
  { client, release: unlock }: WriteLock,
  dataset: string,
  layout: Layout,
): Promise<Staging> {
  const registry = registryOver(singleConnection(client), target)
  let sealed: Sealed | undefined
  let ended = false
  /** An interrupted import and its interrupter both discard the release. */
  let discarding: Promise<void> | undefined

  const fail = (error: unknown): never => {
    throw toStoreError(error, target)
  }
  async function explained<T>(work: () => Promise<T>): Promise<T> {
    return await work().catch(fail)
  }
  async function end(): Promise<void> {
    if (ended) return
    ended = true
    await unlock()
  }

  const start = async () => {
    checkName(dataset)
    const id = newId()
    const tables = releaseTables(target.schema, id)
    return { id, tables, builder: await startRelease(target, client, tables, layout) }
  }
  const { id, tables, builder } = await explained(start).catch(async (error: unknown) => {
    await end()
    throw error
  })

  async function discard(): Promise<void> {
    if (ended) return
    try {
      await builder.cancel()
      // After an error the release may be published nevertheless, and then its tables must stay.
      const published = await releasesOf(registry)
        .selectFrom('releases')
        .where('id', '=', id)
        .select('id')
        .execute()
      if (published.length === 0) await dropRelease(registry, target.schema, id)
    } catch {
      // The connection is gone; the next sweep drops the tables.
    } finally {
      await end()
    }
  }

  return {
    append(key, record, json) {
      try {
        return builder.append(key, record, json)?.catch(fail)
      } catch (error) {
        return Promise.reject(toStoreError(error, target))
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
      const kept = await keptRelease(registry, release.dataset, release.number)
      try {
        return await changesBetween(client, releaseTables(target.schema, kept.id), tables)
      } catch (error) {
        throw toReadError(error, target)
      }
    },
    async publish(details) {
      if (sealed === undefined || ended) throw new Error('only a sealed release can be published, and once')
      const { rows, hash } = sealed
      const number = await enterRelease(registry, target.schema, { id, dataset, rows, hash }, details)
      const { release } = await keptRelease(registry, dataset, number)
      // Tables that cannot be dropped now are left to the next sweep.
      await dropLeftovers(registry, target.schema).catch(() => undefined)
      await end()
      return release
    },
    discard() {
      discarding ??= discard()
      return discarding
    },
  }
}

/**
 * An id that is never reused, even after data loss: a sequence would repeat one after a fail-over to a standby that
 * lacks it, and an instance may still hold that release. Milliseconds, and two random digits in case clocks differ.
 */
const newId = (): number => Date.now() * 100 + randomInt(100)

/** The other engine uses names in file names, and both allow the same. */
function checkName(dataset: string): void {
  if (!/^[a-z0-9][a-z0-9-]{0,99}$/.test(dataset))
    throw new RangeError(`"${dataset}" cannot name a dataset: small letters, digits and hyphens only`)
}
