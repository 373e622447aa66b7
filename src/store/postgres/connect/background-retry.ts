import { migrate } from '../migrate.ts'
import type { Target } from './address.ts'
import type { Servers } from './connections.ts'
import { mayCome } from './faults.ts'
import type { Away } from './server.ts'

/** A schema that is brought up to date as soon as its server can be reached. */
export interface Awaited {
  /** Since when and why it is not; undefined once it is. */
  pending(): Away | undefined
  stop(): void
}

const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 800

/**
 * Brings a schema up to date, at once or else in the background: a server that is away may come. Rejects where it is
 * there at the first attempt and will not do.
 */
export async function migratePatiently(target: Target): Promise<Awaited> {
  let pending: Away | undefined
  let retryMs = FIRST_RETRY_MS
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function attempt(): Promise<void> {
    try {
      await migrate(target)
      pending = undefined
    } catch (reason) {
      // Once it has been waited for, what an operator has to mend is waited for as well.
      if (pending === undefined && !mayCome(reason)) throw reason
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

/** The servers, of which none is usable before the schema is as it has to be. */
export const onceMigrated = (servers: Servers, { pending }: Pick<Awaited, 'pending'>): Servers => ({
  ...servers,
  usable: () => (pending() === undefined ? servers.usable() : []),
  away: () => pending() ?? servers.away(),
})
