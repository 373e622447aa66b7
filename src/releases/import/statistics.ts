import type { SourceRow } from '../../sources/row.ts'
import type { Rejection } from './importable.ts'
import { LISTED_ISSUES, type RowIssue } from './report.ts'

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
  return [row.columns.get(top) ?? top, ...members].join('.')
}

function shown(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 80)
}
