import type { Logger } from 'pino'
import { Problem } from '../errors.ts'
import {
  DamagedReleaseError,
  StoreBusyError,
  StoreUnusableError,
  UnknownReleaseError,
} from '../store/store.ts'
import { MINUTE_MS } from '../values/time-units.ts'
import { trackSpell } from './http-log.ts'

/** Why a request failed in the store. */
type StoreErrorReason = (typeof STORE_ERRORS)[number]
export const STORE_ERRORS = ['unavailable', 'busy', 'damaged', 'superseded'] as const

/** Retry-After in seconds. */
const BUSY_RETRY_S = 1
const OTHER_RETRY_S = 5

/** A store that stays busy is logged once a minute. */
const BUSY_LOG_MS = MINUTE_MS

/**
 * Creates a function that converts an error of the store to a problem; it returns undefined for any other error. The
 * error's message goes to the log, never into the problem.
 */
export function storeProblems(
  log: Pick<Logger, 'warn' | 'error'>,
  onError: (reason: StoreErrorReason) => void,
): (error: Error) => Problem | undefined {
  let busyLoggedAt = Number.NEGATIVE_INFINITY
  const logBusy = (err: Error) => {
    if (performance.now() - busyLoggedAt < BUSY_LOG_MS) return
    busyLoggedAt = performance.now()
    log.warn({ event: 'store-busy', err }, 'the store is overloaded: requests are refused')
  }

  return error => {
    const reason = reasonOf(error)
    if (reason === undefined) return undefined
    onError(reason)
    if (reason === 'busy') {
      logBusy(error)
      return new Problem('OVERLOADED', 'The service is overloaded.', { retryAfterS: BUSY_RETRY_S })
    }
    // The code that watches the store already logs that the store is unavailable.
    if (reason !== 'unavailable')
      log.error({ event: 'release-unreadable', reason, err: error }, 'a release could not be read')
    return new Problem('DATASET_UNAVAILABLE', 'The data cannot be read at the moment.', {
      retryAfterS: OTHER_RETRY_S,
    })
  }
}

/** Returns a function that counts one transaction that is run again, and logs the beginning and the end of each spell. */
export function reportStoreConflicts(log: Pick<Logger, 'warn' | 'info'>, count: () => void): () => void {
  const note = trackSpell({
    onBegin: () =>
      log.warn(
        { event: 'store-conflicts' },
        'the store ends transactions because of others; they are run again',
      ),
    onEnd: transactions =>
      log.info({ event: 'store-no-conflicts', transactions }, 'no transaction was run again for a minute'),
  })
  return () => {
    count()
    note()
  }
}

function reasonOf(error: Error): StoreErrorReason | undefined {
  if (error instanceof StoreBusyError) return 'busy'
  if (error instanceof StoreUnusableError) return 'unavailable'
  if (error instanceof UnknownReleaseError) return 'superseded'
  return error instanceof DamagedReleaseError ? 'damaged' : undefined
}
