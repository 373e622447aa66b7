import { setTimeout as pause } from 'node:timers/promises'
import type { MaybePromise } from '../values/maybe-promise.ts'
import type { StageOptions, Staging } from './release-store.ts'

const POLL_MS = 50

/**
 * Takes the lock on writing releases, of which there is one among all processes, as soon as `tryLock` gives it. Throws
 * what `busy` makes if that is not in time, and the signal's reason once that is aborted.
 */
export async function waitForLock<Lock>(
  { waitMs = 0, onWait, signal }: StageOptions,
  tryLock: () => MaybePromise<Lock | undefined>,
  busy: () => Error,
): Promise<Lock> {
  const deadline = performance.now() + waitMs
  for (let isWaiting = false; ; isWaiting = true) {
    signal?.throwIfAborted()
    const lock = await tryLock()
    if (lock !== undefined) return lock
    const left = deadline - performance.now()
    if (left <= 0) throw busy()
    if (!isWaiting) onWait?.()
    await pause(Math.min(POLL_MS, left))
  }
}

/** The staging, which refuses to publish once the signal is aborted; what is being published by then is. */
export const abortable = (staging: Staging, signal: AbortSignal | undefined): Staging => ({
  ...staging,
  async publish(details) {
    signal?.throwIfAborted()
    return await staging.publish(details)
  },
})
