import { setTimeout as pause } from 'node:timers/promises'
import { isConflict } from '../connect/faults.ts'

/** The longest pause before each retry; the actual one is random, so that the same transactions do not meet again. */
const PAUSES_MS = [50, 100, 200]

/** Runs a whole transaction. */
export type Retrying = <T>(transaction: () => Promise<T>) => Promise<T>

/** Repeats transactions that the server ended because of others, and tells each repetition. */
export interface Conflicts {
  /** Runs a transaction, and up to three times again after conflicts. Throws the last error. */
  readonly retrying: Retrying
  onConflict(listener: () => void): void
}

/** Creates the repetition of one store's transactions. */
export function createConflicts(): Conflicts {
  const listeners = new Set<() => void>()
  return {
    onConflict: listener => void listeners.add(listener),
    async retrying(transaction) {
      for (const longestMs of PAUSES_MS)
        try {
          return await transaction()
        } catch (error) {
          if (!isConflict(error)) throw error
          for (const listener of listeners) listener()
          await pause(longestMs * Math.random())
        }
      return transaction()
    },
  }
}
