/** What an import did and found; printed for people, and with `--json` as it is. */
export interface ImportReport {
  readonly dataset: string
  readonly source: string
  /** `published`; `no new release` where the current release holds the same records; `dry run`; `refused`. */
  readonly outcome: 'published' | 'no new release' | 'dry run' | 'refused'
  /** Why it was refused, one sentence with what to do. */
  readonly reason?: string
  /** Rows read = accepted + rejected + skipped. */
  readonly read: number
  readonly accepted: number
  readonly rejected: number
  /** Exact repetitions of a record with the same id, left out. */
  readonly skipped: number
  /** Number of warnings, each of which left its row in. */
  readonly warned: number
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly durationMs: number
  /** The release that was published or is still current; on a dry run and a refusal null. */
  readonly release: { readonly number: number; readonly hash: string } | null
  /** Every rejected row, up to {@link LISTED_ISSUES}; `rejected` has the true number. */
  readonly rejections: readonly RowIssue[]
  /** Warnings, up to {@link LISTED_ISSUES}; `warned` has the true number. */
  readonly warnings: readonly RowIssue[]
  /** Names in the source that no field takes. */
  readonly ignoredColumns: readonly string[]
}

/** Something about one row of a source, for the person who can fix it. */
export interface RowIssue {
  /** Line of the source, the header being line 1; for JSON the line on which the record starts; null: not of one row. */
  readonly line: number | null
  /** The source's own name of the column. */
  readonly column: string | null
  /** The value as the source has it, cut at 80 characters. */
  readonly value: string | null
  readonly reason: string
}

/** So many rejections and warnings are kept whole; beyond, only counted, so that a wholly bad file costs no memory. */
export const LISTED_ISSUES = 1000

/** How far an import has come, for a progress display. `bytesTotal` is null for standard input. */
export interface Progress {
  readonly rows: number
  readonly bytesRead: number
  readonly bytesTotal: number | null
  /** What is done with the rows once all are read; without it they are being read. */
  readonly phase?: string
}
