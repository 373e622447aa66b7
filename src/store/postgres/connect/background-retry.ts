import { migrate } from '../migrate.ts'
import type { Target } from './address.ts'
import type { Servers } from './connections.ts'
import { mayRecover } from './faults.ts'
import type { Unavailable } from './server.ts'

/** A migration that runs as soon as the server is available. */
export interface BackgroundMigration {
  /** Since when and why it has not run; undefined once it has. */
  pending(): Unavailable | undefined
  stop(): void
}

const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 800

/**
 * Migrates the schema, at once or, while the server is unavailable, in the background with back-off. Rejects where the
 * first attempt fails for a reason that an operator must fix.
 */
export async function migrateInBackground(target: Target): Promise<BackgroundMigration> {
  let pending: Unavailable | undefined
  let retryMs = FIRST_RETRY_MS
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function attempt(): Promise<void> {
    try {
      await migrate(target)
      pending = undefined
    } catch (reason) {
      // Once the retry runs in the background, it continues even after errors that an operator must fix.
      if (pending === undefined && !mayRecover(reason)) throw reason
      pending = { since: pending?.since ?? new Date(), reason }
      if (stopped) return
      timer = setTimeout(attempt, retryMs)
      timer.unref()
      retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS)
    }
  }

  await attempt()
  return {
    pending: () => pending,
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
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
