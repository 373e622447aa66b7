import type { SourceRow } from '../../sources/row.ts'
import type { Rejection } from './importable.ts'
import { LISTED_ISSUES, type RowIssue } from './report.ts'

/** Counts what becomes of the rows, and keeps the first issues for the report. */
export interface Tally {
  read: number
  accepted: number
  rejected: number
  skipped: number
  warned: number
  readonly rejections: RowIssue[]
  readonly warnings: RowIssue[]
}

export function createTally(): Tally {
  return { read: 0, accepted: 0, rejected: 0, skipped: 0, warned: 0, rejections: [], warnings: [] }
}

export function noteRejection(tally: Tally, issue: RowIssue): void {
  tally.rejected++
  if (tally.rejections.length < LISTED_ISSUES) tally.rejections.push(issue)
}

export function noteWarning(tally: Tally, issue: RowIssue): void {
  tally.warned++
  if (tally.warnings.length < LISTED_ISSUES) tally.warnings.push(issue)
}

/** An issue of a row in the source's own words: its name of the column, its value. */
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
