import type { Registry } from '../registry/registry-tables.ts'

/** Runs work in one transaction that writes readings, of which there is one at a time. Throws {@link StoreBusyError}. */
export type Writing = <T>(work: (transaction: Registry) => Promise<T>) => Promise<T>
