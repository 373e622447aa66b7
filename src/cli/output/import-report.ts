import type { HistoryReport } from '../../parking/history/import/import-history.ts'
import type { RepeatedHour } from '../../parking/history/import/times/ambiguous-hours.ts'
import type { ImportReport, RowIssue } from '../../releases/import/report.ts'
import { columns, counted, figure, shortHash, span, visible } from './text.ts'

const LISTED = 20

/** Formats the report for people: the outcome, the numbers, and the first rows to correct. */
export function importReportText(report: ImportReport): string[] {
  const { read, accepted, rejected, skipped, warned, added, changed, removed, source } = report
  return [
    releaseOutcome(report),
    ...numbers({ read, accepted, rejected, skipped, warned, added, changed, removed }, report),
    ...issues('rejected rows', report.rejections, rejected, source),
    ...issues('warnings', report.warnings, warned, source),
    ...ignored(report),
  ]
}

/** Formats the report of an import of history for people: the outcome, the numbers, and the first rows to correct. */
export function historyReportText(report: HistoryReport): string[] {
  const { read, accepted, rejected, skipped, warned, added, rejections, warnings, source } = report
  return [
    historyOutcome(report),
    ...numbers({ read, accepted, rejected, skipped, warned, added }, report),
    ...carParks(report),
    ...repeatedHours(report.repeatedHours),
    // A row of a file may hold several readings, so the number of listed rows is not that of rejected readings.
    ...issues('rejected rows', rejections, rejections.length, source),
    ...issues('warnings', warnings, warnings.length, source),
    ...ignored(report),
  ]
}

function releaseOutcome({ dataset, outcome, release, reason }: ImportReport): string {
  const name = release === null ? '' : `release ${release.number}`
  if (outcome === 'published') return `${dataset}: published ${name} (hash ${shortHash(release?.hash ?? '')})`
  if (outcome === 'no new release')
    return `${dataset}: no new release: ${name || 'the current one'} holds the same records`
  const why = reason === undefined ? '' : `: ${visible(reason)}`
  if (outcome === 'dry run') return `${dataset}: dry run, nothing was published${why}`
  return `${dataset}: refused, nothing was changed${why}`
}

function historyOutcome({ dataset, outcome, added, reason }: HistoryReport): string {
  if (outcome === 'added') return `${dataset}: added ${counted(added, 'reading')}`
  if (outcome === 'nothing new') return `${dataset}: nothing new: all readings are stored already`
  if (outcome === 'dry run') return `${dataset}: dry run, nothing was added`
  return `${dataset}: refused, nothing was changed: ${visible(reason ?? '')}`
}

function numbers(
  figures: Readonly<Record<string, number>>,
  { read, durationMs }: { readonly read: number; readonly durationMs: number },
): string[] {
  if (read === 0) return []
  const rows = Object.entries(figures).map(([name, value]) => [`  ${name}`, figure(value)])
  return ['', ...columns([...rows, ['  took', span(durationMs)]], ['left', 'right'])]
}

/** Lists the first issues of rows as lines `file:line  column  "value"  reason`. */
function issues(title: string, listed: readonly RowIssue[], total: number, source: string): string[] {
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

function ignored({ ignoredColumns }: Pick<ImportReport, 'ignoredColumns'>): string[] {
  if (ignoredColumns.length === 0) return []
  const names = ignoredColumns.map(name => `"${visible(name)}"`).join(', ')
  return ['', `columns that match no field (assign them with --map "HEADER=field"): ${names}`]
}

function carParks({ carParks, first, last }: HistoryReport): string[] {
  if (carParks.length === 0 || first === null || last === null) return []
  const rows = carParks.map(({ code, name, readings }) => [
    `  ${visible(code)}`,
    visible(name),
    figure(readings),
  ])
  return ['', `from ${first} to ${last}:`, ...columns(rows, ['left', 'left', 'right'])]
}

const HOW: Readonly<Record<RepeatedHour['by'], string>> = {
  order: 'the order of the file',
  counts: 'their intervals and counts',
}

function repeatedHours(hours: readonly RepeatedHour[]): string[] {
  if (hours.length === 0) return []
  const rows = hours.map(
    ({ from, first, second, by }) =>
      `  ${from}  ${figure(first)} readings in the first pass, ${figure(second)} in the second, separated by ${HOW[by]}`,
  )
  return ['', 'hours that occurred twice when summer time ended:', ...rows]
}
