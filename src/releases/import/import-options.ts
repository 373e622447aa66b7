import type { Readable } from 'node:stream'
import type { Store } from '../../store/store.ts'
import type { Importable, RejectLimit } from './importable.ts'
import type { Progress } from './report.ts'

/** What an import is to do. `importDataset(options)` in import.ts answers with an ImportReport. */
export interface ImportOptions {
  readonly store: Store
  readonly dataset: Importable
  /** The path of a file, or `-`, or a name for what `input` gives. Goes into the report and the release. */
  readonly source: string
  /** Where the bytes come from; without it the file at `source` is read. */
  readonly input?: Readable
  /** Field by name of the source's column, on top of the dataset's aliases. */
  readonly map?: Readonly<Record<string, string>>
  /** Instead of the dataset's own limit. */
  readonly rejectLimit?: RejectLimit
  /** Report all, publish nothing. */
  readonly dryRun?: boolean
  /** Publish although the number of records falls by more than a fifth, or grows tenfold, or there are none. */
  readonly force?: boolean
  readonly synthetic?: boolean
  readonly now?: () => Date
  readonly onProgress?: (progress: Progress) => void
  /** How long another import is waited for before `StoreBusyError` is thrown; without it half a minute. */
  readonly waitMs?: number
  /** Called once if another import has to be waited for. */
  readonly onWait?: () => void
  /** Once aborted the import throws its reason and publishes nothing, unless it is publishing already. */
  readonly signal?: AbortSignal
}
