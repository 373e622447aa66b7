import type { ImportReport, RowIssue } from '../releases/import/report.ts'
import { columns } from './columns.ts'
import { visible } from './visible.ts'
import { figure, shortHash, span } from './words.ts'

const LISTED = 20

/** Formats the report for people: the outcome, the numbers, and the first rows to correct. */
export function importReportText(report: ImportReport): string[] {
  return [
    outcome(report),
    ...(report.read === 0 ? [] : ['', ...numbers(report)]),
    ...issues('rejected rows', report.rejections, report.rejected, report.source),
    ...issues('warnings', report.warnings, report.warned, report.source),
    ...ignored(report),
  ]
}

function outcome({ dataset, outcome, release, reason }: ImportReport): string {
  const name = release === null ? '' : `release ${release.number}`
  if (outcome === 'published') return `${dataset}: published ${name} (hash ${shortHash(release?.hash ?? '')})`
  if (outcome === 'no new release')
    return `${dataset}: no new release: ${name || 'the current one'} holds the same records`
  const why = reason === undefined ? '' : `: ${visible(reason)}`
  if (outcome === 'dry run') return `${dataset}: dry run, nothing was published${why}`
  return `${dataset}: refused, nothing was changed${why}`
}

function numbers(report: ImportReport): string[] {
  const { read, accepted, rejected, skipped, warned, added, changed, removed, durationMs } = report
  const figures = { read, accepted, rejected, skipped, warned, added, changed, removed }
  const rows = Object.entries(figures).map(([name, value]) => [`  ${name}`, figure(value)])
  return columns([...rows, ['  took', span(durationMs)]], ['left', 'right'])
}

/** Lists the first issues of rows as lines `file:line  column  "value"  reason`. */
export function issues(title: string, listed: readonly RowIssue[], total: number, source: string): string[] {
  if (listed.length === 0) return []
  const shown = listed
    .slice(0, LISTED)
    .map(issue => [
      issue.line === null ? `  ${visible(source)}` : `  ${visible(source)}:${issue.line}`,
      visible(issue.column ?? ''),
      issue.value === null ? '' : `"${visible(issue.value)}"`,
      visible(issue.reason),
    ])
  const more = total - shown.length
  const rest = more > 0 ? [`  ... and ${figure(more)} more (use --json for all)`] : []
  return ['', `${title}:`, ...columns(shown), ...rest]
}

/** Names the columns that no field takes. */
export function ignored({ ignoredColumns }: Pick<ImportReport, 'ignoredColumns'>): string[] {
  if (ignoredColumns.length === 0) return []
  const names = ignoredColumns.map(name => `"${visible(name)}"`).join(', ')
  return ['', `columns that no field takes (--map "HEADER=field" gives them one): ${names}`]
}
