import { setTimeout as pause } from 'node:timers/promises'
import type { MaybePromise } from '../values/maybe-promise.ts'
import type { StageOptions, Staging } from './release-store.ts'

const POLL_MS = 50

/**
 * Acquires the lock on writing releases, one for all processes, by retrying `tryLock`. Throws the error of `busy` on
 * timeout, and the signal's reason once aborted.
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

/** A staging that refuses to publish once the signal is aborted; a publication that has begun completes. */
export const abortable = (staging: Staging, signal: AbortSignal | undefined): Staging => ({
  ...staging,
  async publish(details) {
    signal?.throwIfAborted()
    return await staging.publish(details)
  },
})
