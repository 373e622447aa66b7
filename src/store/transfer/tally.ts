import type { ReleaseColumns } from '../registry/tables.ts'
import { DamagedReleaseError } from '../store.ts'

/** The result of a transfer. */
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

/** Like the progress of an import. `bytesTotal` is null for a store. */
interface TransferProgress {
  /** The number of records and rows so far. */
  readonly rows: number
  readonly bytesRead: number
  readonly bytesTotal: number | null
  /** The name of a long step. */
  readonly phase: string | undefined
}

export interface TallyOptions {
  readonly onProgress?: (progress: TransferProgress) => void
  /** Once aborted, its reason is thrown and nothing has changed. It has no effect after everything is written. */
  readonly signal?: AbortSignal | undefined
}

/** Counts the content of a transfer. */
export type Tally = ReturnType<typeof createTally>

/** Starts to count. `position` returns how much of a file was read; absent for a store. */
export function createTally(
  { onProgress, signal }: TallyOptions,
  position?: () => Pick<TransferProgress, 'bytesRead' | 'bytesTotal'>,
) {
  const releases: Carried['releases'][number][] = []
  const tables: Record<string, number> = {}
  const missing: MissingRelease[] = []
  const carried: Carried = { releases, tables, missing }
  let total = 0
  /** Counts rows and reports the total. Throws the signal's reason once it is aborted. */
  function progress(rows: number, phase?: string): void {
    signal?.throwIfAborted()
    total += rows
    onProgress?.({ rows: total, bytesRead: 0, bytesTotal: null, ...position?.(), phase })
  }
  return {
    carried,
    signal,
    progress,
    addRelease({ dataset, number, hash, rows }: ReleaseColumns): void {
      releases.push({ dataset, number, hash, rows })
    },
    /** Notes a damaged release as missing; returns the reason. Rethrows any other error. */
    addMissing({ dataset, number }: ReleaseColumns, error: unknown): string {
      if (!(error instanceof DamagedReleaseError)) throw error
      missing.push({ dataset, number, reason: error.message })
      return error.message
    },
    addRows(table: string, rows: number): void {
      tables[table] = (tables[table] ?? 0) + rows
      progress(rows)
    },
  }
}
