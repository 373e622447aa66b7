import type { Registry } from '../registry/registry-tables.ts'

/** Runs work in a transaction that writes readings, one at a time. Throws {@link StoreBusyError}. */
export type Writing = <T>(work: (transaction: Registry) => Promise<T>) => Promise<T>
