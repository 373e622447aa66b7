import { LONGEST_NAME } from '../../sources/columns.ts'
import type { SourceRow } from '../../sources/source-row.ts'
import type { Corrected, HeldBack } from '../../store/store.ts'
import { cut } from '../../values/text.ts'
import type { CheckResult } from './checks/checks.ts'
import type { Losses } from './checks/comparison.ts'
import type { CheckFinding } from './checks/release-checks.ts'
import type { Rejection } from './importable.ts'

/** The report of an import; formatted for people, or printed unchanged with `--json`. */
export interface ImportReport {
  readonly dataset: string
  readonly source: string
  /** `published`; `no new release` where the current release holds the same records; `dry run`; `refused`. */
  readonly outcome: 'published' | 'no new release' | 'dry run' | 'refused'
  /** Why it was refused and what to do, in one sentence. */
  readonly reason?: string | undefined
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
  /** The release that was published or is still current; null on a dry run, a refusal, and for the records of `lastHash`. */
  readonly release: { readonly number: number; readonly hash: string } | null
  /**
   * The hash of the records, and of their release; null if the import was refused before that, and for the records of
   * `lastHash`.
   */
  readonly contentHash: string | null
  /** The faults of rejected rows, up to {@link LISTED_ISSUES}; `rejected` counts all rows. */
  readonly rejections: readonly RowIssue[]
  /** Warnings, up to {@link LISTED_ISSUES}; `warned` counts all warnings. */
  readonly warnings: readonly RowIssue[]
  /** Rejections and warnings, grouped by column and reason and counted in full. */
  readonly groups: { readonly rejections: readonly IssueGroup[]; readonly warnings: readonly IssueGroup[] }
  /** The checks of the release as a whole; empty if the import ended before them. */
  readonly checks: readonly CheckResult[]
  /**
   * The losses since the previous release; null if the import ended before the checks, or if there is no release to
   * compare with.
   */
  readonly losses: Losses | null
  /** Places whose positions are held back because they leave the island; empty after a refusal. */
  readonly heldBack: readonly HeldBack[]
  /** Fields whose values come from the operator's corrections; empty after a refusal. */
  readonly corrected: readonly Corrected[]
  /** Columns of the source that no field takes. */
  readonly ignoredColumns: readonly string[]
  /** Columns of the source that fields take. */
  readonly recognisedColumns: readonly { readonly column: string; readonly field: string }[]
}

/** A problem in one row of a source, for the person who can fix it. */
export interface RowIssue {
  /** Line of the source, from 1; for JSON, the line where the record starts; null if the problem is not about one row. */
  readonly line: number | null
  /** The source's own name of the column. */
  readonly column: string | null
  /** The value in the source, truncated to 80 characters. */
  readonly value: string | null
  readonly reason: string
}

/** Issues of the same column for the same reason. */
export interface IssueGroup extends Pick<RowIssue, 'column' | 'reason'> {
  readonly count: number
  /** The first lines; issues about the whole source have no line. */
  readonly lines: readonly number[]
  /** The first different values. */
  readonly values: readonly string[]
}

/** Rejections and warnings beyond this number are only counted, which bounds the memory for a bad file. */
const LISTED_ISSUES = 1000

/** The progress of an import, for a display. `bytesTotal` is null for standard input. */
export interface Progress {
  readonly rows: number
  readonly bytesRead: number
  readonly bytesTotal: number | null
  /** The current step after reading; absent while rows are read. */
  readonly phase?: string | undefined
}

/** The statistics of an import so far, with the first issues for the report. */
export type ImportStatistics = ReturnType<typeof createStatistics>

/** Creates the statistics of an import that has read nothing yet. */
export function createStatistics() {
  return {
    read: 0,
    accepted: 0,
    rejected: 0,
    skipped: 0,
    warned: 0,
    rejections: createIssues(),
    warnings: createIssues(),
  }
}

/** Records the rejection of one row, with all its faults. */
export function recordRejection(statistics: ImportStatistics, ...issues: readonly RowIssue[]): void {
  statistics.rejected++
  for (const issue of issues) statistics.rejections.add(issue)
}

export function recordWarning(statistics: ImportStatistics, issue: RowIssue): void {
  statistics.warned++
  statistics.warnings.add(issue)
}

/** The statistics as the report has them. */
export const reported = ({ rejections, warnings, ...counts }: ImportStatistics) => ({
  ...counts,
  rejections: rejections.first,
  warnings: warnings.first,
  groups: { rejections: rejections.groups(), warnings: warnings.groups() },
})

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

/** Groups beyond this number are left out, which bounds the memory for a bad file. */
const MOST_GROUPS = 1000
const LISTED_LINES = 10
const LISTED_VALUES = 3

type Growing = IssueGroup & { count: number; lines: number[]; values: string[] }

/** Keeps the first issues of the rows, and adds each issue to its group. */
export function createIssues() {
  const first: RowIssue[] = []
  const groups = new Map<string, Growing>()
  return {
    first,
    add(issue: RowIssue): void {
      if (first.length < LISTED_ISSUES) first.push(issue)
      const { line, column, value, reason } = issue
      const key = `${column}\n${reason}`
      let group = groups.get(key)
      if (group === undefined) {
        if (groups.size >= MOST_GROUPS) return
        group = { column, reason, count: 0, lines: [], values: [] }
        groups.set(key, group)
      }
      group.count++
      if (line !== null && group.lines.length < LISTED_LINES && group.lines.at(-1) !== line)
        group.lines.push(line)
      if (value !== null && group.values.length < LISTED_VALUES && !group.values.includes(value))
        group.values.push(value)
    },
    /** In the order of their first issues. */
    groups: (): readonly IssueGroup[] => [...groups.values()],
  }
}

/** Records a warning about the source as a whole. */
export function noteAboutAll(statistics: ImportStatistics, reason: CheckFinding): void {
  if (reason) recordWarning(statistics, { line: null, column: null, value: null, reason })
}
