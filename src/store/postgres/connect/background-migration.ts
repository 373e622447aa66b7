import { createRetry } from '../../../values/retry.ts'
import type { StoreOptions } from '../../engine.ts'
import { prepareSchema } from '../schema.ts'
import type { Target } from './address.ts'
import type { Servers } from './connections.ts'
import { mayRecover } from './faults.ts'
import type { Unavailable } from './server.ts'

/** The preparation of the schema, which runs as soon as the server is available. */
export interface BackgroundMigration {
  /** Since when and why it has not run; undefined once it has. */
  pending(): Unavailable | undefined
  stop(): void
}

/**
 * Prepares the schema, at once or, while the server is unavailable, in the background with back-off. Rejects where the
 * first attempt fails for a reason that an operator must fix.
 */
export async function migrateInBackground(
  target: Target,
  options: StoreOptions,
): Promise<BackgroundMigration> {
  const stopping = new AbortController()
  let pending: Unavailable | undefined
  async function attempt(): Promise<void> {
    try {
      await prepareSchema(target, options)
      pending = undefined
    } catch (reason) {
      pending = { since: pending?.since ?? new Date(), reason }
      throw reason
    }
  }
  const retry = createRetry({ attempt, firstMs: 100, longestMs: 800, signal: stopping.signal })
  await attempt().catch(reason => {
    if (!mayRecover(reason)) throw reason
    // From now on it continues even after errors that an operator must fix.
    retry.later()
  })
  return { pending: () => pending, stop: () => stopping.abort() }
}

/** The servers, none of them usable before the migration has run. */
export const usableOnceMigrated = (
  servers: Servers,
  { pending }: Pick<BackgroundMigration, 'pending'>,
): Servers => ({
  ...servers,
  usable: () => (pending() === undefined ? servers.usable() : []),
  unavailable: () => pending() ?? servers.unavailable(),
})
