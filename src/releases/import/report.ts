import { LONGEST_NAME } from '../../sources/columns.ts'
import type { SourceRow } from '../../sources/source-row.ts'
import { cut } from '../../values/text.ts'
import type { Rejection } from './importable.ts'

/** The report of an import; formatted for people, or printed unchanged with `--json`. */
export interface ImportReport {
  readonly dataset: string
  readonly source: string
  /** `published`; `no new release` where the current release holds the same records; `dry run`; `refused`. */
  readonly outcome: 'published' | 'no new release' | 'dry run' | 'refused'
  /** Why it was refused and what to do, in one sentence. */
  readonly reason?: string
  /** Rows read = accepted + rejected + skipped. */
  readonly read: number
  readonly accepted: number
  readonly rejected: number
  /** Exact repetitions of a record with the same id, left out. */
  readonly skipped: number
  /** Number of warnings; a warning does not exclude its row. */
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
  /** Columns of the source that no field takes. */
  readonly ignoredColumns: readonly string[]
}

/** A problem in one row of a source, for the person who can fix it. */
export interface RowIssue {
  /** Line of the source, the header being line 1; for JSON the line on which the record starts; null: not about one row. */
  readonly line: number | null
  /** The source's own name of the column. */
  readonly column: string | null
  /** The value in the source, truncated to 80 characters. */
  readonly value: string | null
  readonly reason: string
}

/** Rejections and warnings beyond this number are only counted, which bounds the memory for a bad file. */
export const LISTED_ISSUES = 1000

/** The progress of an import, for a display. `bytesTotal` is null for standard input. */
export interface Progress {
  readonly rows: number
  readonly bytesRead: number
  readonly bytesTotal: number | null
  /** The step that follows reading; absent while rows are read. */
  readonly phase?: string
}

/** The statistics of an import so far, with the first issues for the report. */
export interface ImportStatistics {
  read: number
  accepted: number
  rejected: number
  skipped: number
  warned: number
  readonly rejections: RowIssue[]
  readonly warnings: RowIssue[]
}

export function createStatistics(): ImportStatistics {
  return { read: 0, accepted: 0, rejected: 0, skipped: 0, warned: 0, rejections: [], warnings: [] }
}

export function recordRejection(statistics: ImportStatistics, issue: RowIssue): void {
  statistics.rejected++
  if (statistics.rejections.length < LISTED_ISSUES) statistics.rejections.push(issue)
}

export function recordWarning(statistics: ImportStatistics, issue: RowIssue): void {
  statistics.warned++
  if (statistics.warnings.length < LISTED_ISSUES) statistics.warnings.push(issue)
}

/** An issue of a row, with the source's own name of the column and its value. */
export function issueOf(row: SourceRow, about: Pick<Rejection, 'field' | 'value'>, reason: string): RowIssue {
  return { line: row.line, column: columnOf(row, about.field), value: shown(about.value), reason }
}

function columnOf(row: SourceRow, field: string | null): string | null {
  if (field === null) return null
  const [top = field, ...members] = field.split('.')
  return [cut(row.columns.get(top) ?? top, LONGEST_NAME), ...members].join('.')
}

const LONGEST_VALUE_SHOWN = 80

function shown(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return cut(typeof value === 'string' ? value : JSON.stringify(value), LONGEST_VALUE_SHOWN)
}
