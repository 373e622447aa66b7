import { DamagedReleaseError } from '../store.ts'
import type { ReleaseColumns } from './backup-format.ts'

/** What was carried from one place to another. */
export interface Carried {
  readonly releases: readonly Pick<ReleaseColumns, 'dataset' | 'number' | 'hash' | 'rows'>[]
  /** The number of rows by table. */
  readonly tables: Readonly<Record<string, number>>
  /** Releases that were left out because they are damaged. */
  readonly missing: readonly MissingRelease[]
}

interface MissingRelease {
  readonly dataset: string
  readonly number: number
  readonly reason: string
}

export interface CarryOptions {
  /** Called with the number of records and rows so far, and with the name of each long step. */
  readonly onProgress?: (rows: number, phase?: string) => void
  /** Once aborted its reason is thrown, and nothing was changed; it has no effect once all is written. */
  readonly signal?: AbortSignal | undefined
}

/** Counts what is carried. */
export interface Tally extends Pick<CarryOptions, 'signal'> {
  readonly carried: Carried
  /** Counts rows, and reports them. Throws the signal's reason once it is aborted. */
  progress(rows: number, phase?: string): void
  addRelease(row: ReleaseColumns): void
  /** Notes a damaged release as missing; returns the reason. Throws any other error again. */
  addMissing(row: ReleaseColumns, error: unknown): string
  addRows(table: string, rows: number): void
}

export function createTally({ onProgress, signal }: CarryOptions): Tally {
  const releases: Carried['releases'][number][] = []
  const tables: Record<string, number> = {}
  const missing: MissingRelease[] = []
  let total = 0
  function progress(rows: number, phase?: string): void {
    signal?.throwIfAborted()
    total += rows
    onProgress?.(total, phase)
  }
  return {
    carried: { releases, tables, missing },
    signal,
    progress,
    addRelease: ({ dataset, number, hash, rows }) => void releases.push({ dataset, number, hash, rows }),
    addMissing({ dataset, number }, error) {
      if (!(error instanceof DamagedReleaseError)) throw error
      missing.push({ dataset, number, reason: error.message })
      return error.message
    },
    addRows(table, rows) {
      tables[table] = (tables[table] ?? 0) + rows
      progress(rows)
    },
  }
}
