import type { Readable } from 'node:stream'
import type { Store } from '../../store/store.ts'
import type { Importable, RejectLimit } from './importable.ts'
import type { Progress } from './report.ts'

/** The options of an import (`importDataset` in import.ts). */
export interface ImportOptions {
  readonly store: Store
  readonly dataset: Importable
  /** The path of a file, `-`, or a name for `input`. The report and the release state it. */
  readonly source: string
  /** The source's bytes; without it the file at `source` is read. */
  readonly input?: Readable
  /** Field by name of the source's column, on top of the dataset's aliases. */
  readonly map?: Readonly<Record<string, string>>
  /** Overrides the dataset's own limit. */
  readonly rejectLimit?: RejectLimit
  /** Report everything, publish nothing. */
  readonly dryRun?: boolean
  /** Publish although the number of records falls by more than a fifth, or grows tenfold, or there are none. */
  readonly force?: boolean
  readonly synthetic?: boolean
  readonly now?: () => Date
  readonly onProgress?: (progress: Progress) => void
  /** The longest wait for another import before `StoreBusyError` is thrown; 30 s by default. */
  readonly waitMs?: number
  /** Called once if this import has to wait for another. */
  readonly onWait?: () => void
  /** Once aborted the import throws its reason and publishes nothing, unless it is publishing already. */
  readonly signal?: AbortSignal
}
