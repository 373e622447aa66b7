import { type DegradedComponent, type Store, StoreBusyError } from '../../store/store.ts'
import type { FollowerLog } from './dataset-follower.ts'

/** Why the store cannot be read. */
export interface StoreFailure {
  /** ISO 8601 UTC. */
  readonly since: string
  /** For the operator. */
  readonly detail: string
}

/** A store that is overloaded for longer than this counts as unavailable. */
const BUSY_MS = 10_000

/** Keeps the state of the store for the operator, healthy at first, and logs each change of it once. */
export function createStoreHealth(options: {
  store: Pick<Store, 'degraded'>
  log: FollowerLog
  now: () => Date
}) {
  const { store, log, now } = options
  const listeners: (() => void)[] = []
  let failure: StoreFailure | null = null
  let busySince: number | undefined
  /** By component and time: two servers may fail with the same detail. */
  let logged = new Map<string, DegradedComponent>()

  function logDegradation(): void {
    const current = new Map(store.degraded().map(trouble => [trouble.part + trouble.since, trouble]))
    for (const [key, { part, detail }] of current)
      if (!logged.has(key))
        log.error({ event: 'store-server-unavailable', part, detail }, 'a server of the store is unavailable')
    for (const [key, { part, since }] of logged)
      if (!current.has(key))
        log.info({ event: 'store-server-available', part, since }, 'a server of the store is available again')
    logged = current
  }

  return {
    recordFailure(error: unknown): void {
      if (error instanceof StoreBusyError && failure === null) {
        busySince ??= now().getTime()
        if (now().getTime() - busySince < BUSY_MS) return
      }
      const detail = error instanceof Error ? error.message : String(error)
      if (failure === null)
        log.error(
          { event: 'store-unavailable', err: error },
          'the store cannot be read; the service goes on with the loaded releases',
        )
      failure = { since: failure?.since ?? now().toISOString(), detail }
    },
    recordSuccess(): void {
      busySince = undefined
      logDegradation()
      if (failure === null) return
      log.info({ event: 'store-available', failingSince: failure.since }, 'the store can be read again')
      failure = null
      for (const listener of listeners) listener()
    },
    /** Null while the store can be read. */
    failure: () => failure,
    /** Calls the listener each time the store can be read again. */
    onRecovery: (listener: () => void) => void listeners.push(listener),
  }
}
