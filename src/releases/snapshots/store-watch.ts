import { type Store, StoreBusyError, type StoreTrouble } from '../../store/store.ts'
import type { FollowerLog } from './dataset-follower.ts'

/** How the store fares, for the operator: each change is logged once. */
export interface StoreWatch {
  /** Notes that it was asked in vain. */
  failed(error: unknown): void
  /** Notes that it answered. */
  answered(): void
  /** Since when it cannot be read, and why; null while it can. */
  failing(): StoreFailure | null
  /** What of it cannot be reached, though it can be read. */
  troubles(): readonly StoreTrouble[]
  /** Calls back each time that it can be read again. */
  onReturn(listener: () => void): void
}

export interface StoreFailure {
  /** ISO 8601 UTC. */
  readonly since: string
  /** In words for the operator. */
  readonly detail: string
}

/** A store that has so much to do for longer than this cannot be read. */
const BUSY_MS = 10_000

/** Watches how a store fares. */
export function watchStore(options: {
  store: Pick<Store, 'troubles'>
  log: FollowerLog
  now: () => Date
}): StoreWatch {
  const { store, log, now } = options
  const listeners: (() => void)[] = []
  let failure: StoreFailure | null = null
  let busySince: number | undefined
  /** What was told, by where it is; servers may share a detail. */
  let told = new Map<string, StoreTrouble>()

  function compareTroubles(): void {
    const current = new Map(store.troubles().map(trouble => [trouble.part + trouble.since, trouble]))
    for (const [key, { part, detail }] of current)
      if (!told.has(key)) log.error({ event: 'store-part-away', part, detail }, 'a part of the store is away')
    for (const [key, { part, since }] of told)
      if (!current.has(key))
        log.info({ event: 'store-part-back', part, since }, 'a part of the store is back')
    told = current
  }

  return {
    failed(error) {
      if (error instanceof StoreBusyError && failure === null) {
        busySince ??= now().getTime()
        if (now().getTime() - busySince < BUSY_MS) return
      }
      const detail = error instanceof Error ? error.message : String(error)
      if (failure === null)
        log.error(
          { event: 'store-away', err: error },
          'the store cannot be read: what is loaded is served on',
        )
      failure = { since: failure?.since ?? now().toISOString(), detail }
    },
    answered() {
      busySince = undefined
      compareTroubles()
      if (failure === null) return
      log.info({ event: 'store-back', failingSince: failure.since }, 'the store can be read again')
      failure = null
      for (const listener of listeners) listener()
    },
    failing: () => failure,
    troubles: () => store.troubles(),
    onReturn: listener => void listeners.push(listener),
  }
}
