import { Problem } from '../errors.ts'
import { DamagedReleaseError, StoreBusyError, StoreUnusableError } from '../store/store.ts'

/** Why the store could not answer a request. */
export type StoreRefusal = 'away' | 'busy' | 'damaged'
export const STORE_REFUSALS: readonly StoreRefusal[] = ['away', 'busy', 'damaged']

/** What a client does well to wait before it tries again, in seconds. */
const AWAY_RETRY_S = 5
const BUSY_RETRY_S = 1

/** A store that is busy all day is one event a minute. */
const TELL_EVERY_MS = 60_000

interface RefusalLog {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/**
 * Makes the function that gives the problem which an error of the store is to a consumer; undefined for other errors.
 * Nothing of what the store said is in it: that is for the log, which is told once by whoever watches the store.
 */
export function storeProblems(
  log: RefusalLog,
  onRefusal: (refusal: StoreRefusal) => void,
): (error: Error) => Problem | undefined {
  let toldAt = Number.NEGATIVE_INFINITY
  const tellSometimes = (err: Error) => {
    if (performance.now() - toldAt < TELL_EVERY_MS) return
    toldAt = performance.now()
    log.warn({ event: 'store-busy', err }, 'the store has more to do than it can: requests are refused')
  }

  return error => {
    const refusal = refusalOf(error)
    if (refusal === undefined) return undefined
    onRefusal(refusal)
    if (refusal === 'busy') {
      tellSometimes(error)
      return problem('OVERLOADED', 'More is asked than can be answered at this moment.', BUSY_RETRY_S)
    }
    if (refusal === 'damaged') log.error({ event: 'store-damaged', err: error }, 'a release cannot be read')
    return problem('DATASET_UNAVAILABLE', 'The data cannot be read at this moment.', AWAY_RETRY_S)
  }
}

function refusalOf(error: Error): StoreRefusal | undefined {
  if (error instanceof StoreBusyError) return 'busy'
  if (error instanceof StoreUnusableError) return 'away'
  return error instanceof DamagedReleaseError ? 'damaged' : undefined
}

const problem = (code: 'OVERLOADED' | 'DATASET_UNAVAILABLE', detail: string, seconds: number): Problem =>
  new Problem(code, detail, { headers: { 'retry-after': String(seconds) } })
