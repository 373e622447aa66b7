import { setTimeout as pause } from 'node:timers/promises'
import type { Layout } from '../../query/layout.ts'
import type { StoredRecord } from '../../query/query.ts'
import type { MaybePromise } from '../../values/promises.ts'
import type { Measured } from '../encoding/digests.ts'
import { type StageOptions, StoreBusyError } from '../store.ts'
import type { KeptRelease, PlacedFile } from './releases.ts'
import type { Registry, WriteRegistry } from './tables.ts'

/** The operations of the process that holds the lock on writing releases. One process holds it at a time. */
export interface ReleaseWriter {
  /** Uses the lock's own connection, if it has one, so that nothing is published after the lock is lost. */
  readonly registry: Registry
  /** Runs work in one transaction that changes which releases are current, and notifies other instances. */
  readonly write: WriteRegistry
  /** Like `write`, but called only once, and while nobody else writes readings. */
  readonly fill: WriteRegistry
  startRelease(dataset: string, layout: Layout): Promise<ReleaseBuilder>
  /** The digests of the records of a release, piece by piece. Throws {@link DamagedReleaseError}. */
  digests(kept: KeptRelease, layout: Layout): AsyncIterable<Uint8Array>
  /** Removes content that no release needs; resolves to the number of files or tables. */
  removeLeftovers(): Promise<number>
  /** Maps an error of the engine to one with the fault and the remedy. */
  toStoreError(error: unknown): unknown
  unlock(): MaybePromise<void>
}

/** The content of a release that is being written, invisible to readers. */
export interface ReleaseBuilder {
  /** Returns a promise while the engine lags behind. Throws TypeError or RangeError for a record that cannot be stored. */
  append(key: string, record: StoredRecord, content: string): Promise<void> | undefined
  /** Builds the release from the appended records, reporting each long step. Resolves to the records' measures. */
  seal(onPhase: (phase: string) => void): Promise<Measured>
  /** Puts the sealed content in the place of the release with this number, and frees its memory. */
  place(number: number): Promise<PlacedFile>
  /** Aborts running work and removes all content, even placed content. */
  remove(): Promise<void>
}

const POLL_MS = 50

/**
 * Acquires the lock on writing releases to the store `shown` by retrying `tryLock`. Throws {@link StoreBusyError} on timeout,
 * and the signal's reason once aborted.
 */
export async function waitForLock<Lock>(
  { waitMs = 0, onWait, signal }: StageOptions,
  shown: string,
  tryLock: () => MaybePromise<Lock | undefined>,
): Promise<Lock> {
  const deadline = performance.now() + waitMs
  for (let isWaiting = false; ; isWaiting = true) {
    signal?.throwIfAborted()
    const lock = await tryLock()
    if (lock !== undefined) return lock
    const left = deadline - performance.now()
    if (left <= 0)
      throw new StoreBusyError(
        `another import or rollback is writing to ${shown}: try again when it has ended`,
      )
    if (!isWaiting) onWait?.()
    await pause(Math.min(POLL_MS, left))
  }
}
