import type { HistoryReport } from '../../parking/history/import/import-history.ts'
import type { FieldChange, RecordLosses } from '../../releases/import/checks/comparison.ts'
import { fieldChange, move } from '../../releases/import/checks/release-checks.ts'
import type { ImportReport, IssueGroup } from '../../releases/import/report.ts'
import { fold } from '../../sources/columns.ts'
import { counted, figure } from '../../values/numbers.ts'
import { inWords } from '../../values/text.ts'
import { coloured, columns, section, shortHash, span, visible } from './text.ts'

const LISTED = 20

/** Formats the report for people: the outcome, the numbers, and the first rows to correct. */
export function importReportText(report: ImportReport): string[] {
  const { rejected, warned, source } = report
  return [
    releaseOutcome(report),
    ...numbers(report, 'read', 'accepted', 'rejected', 'skipped', 'warned', 'added', 'changed', 'removed'),
    ...checksText(report),
    ...issues('rejected rows', report.groups.rejections, rejected, source),
    ...issues('warnings', report.groups.warnings, warned, source),
    ...recognised(report),
    ...ignored(report),
  ]
}

/** Formats the report of an import of history for people: the outcome, the numbers, and the first rows to correct. */
export function historyReportText(report: HistoryReport): string[] {
  const { groups, source } = report
  return [
    historyOutcome(report),
    ...numbers(report, 'read', 'accepted', 'rejected', 'skipped', 'warned', 'added'),
    ...carParks(report),
    ...clockChanges(report),
    // A row of a file may hold several readings, so the number of rejected readings is not the number of rejected rows.
    ...issues('rejected rows', groups.rejections, numberIn(groups.rejections), source),
    ...issues('warnings', groups.warnings, numberIn(groups.warnings), source),
    ...ignored(report),
  ]
}

function releaseOutcome({ dataset, outcome, release, reason, source }: ImportReport): string {
  const name = release === null ? '' : `release ${release.number}`
  if (outcome === 'published')
    return `${dataset}: ${coloured('published', 'good')} ${name} (hash ${shortHash(release?.hash ?? '')})`
  if (outcome === 'no new release')
    return `${dataset}: no new release: ${name || 'the current one'} holds the same records`
  if (outcome === 'dry run') return `${dataset}: dry run, nothing was published`
  return refusal(dataset, source, reason)
}

/** Names the file too, unless the reason begins with it. */
function refusal(dataset: string, source: string, reason = ''): string {
  const file = source === '-' ? 'standard input' : source
  const where = reason.startsWith(file) ? '' : `${visible(file)}: `
  return `${dataset}: ${coloured('refused', 'bad')}, nothing was changed: ${where}${visible(reason)}`
}

function historyOutcome({ dataset, outcome, added, batch, reason, source }: HistoryReport): string {
  if (outcome === 'added')
    return `${dataset}: ${coloured('added', 'good')} ${counted(added, 'reading')} as batch ${batch} (undo: pds history remove ${batch})`
  if (outcome === 'nothing new') return `${dataset}: nothing new: all readings are stored already`
  if (outcome === 'dry run') return `${dataset}: dry run, nothing was added`
  return refusal(dataset, source, reason)
}

function numbers<Name extends string>(
  report: Readonly<Record<Name | 'read' | 'durationMs', number>>,
  ...names: readonly Name[]
): string[] {
  if (report.read === 0) return []
  const rows = names.map(name => [`  ${name}`, figure(report[name])])
  return ['', ...columns([...rows, ['  took', span(report.durationMs)]], ['left', 'right'])]
}

const numberIn = (groups: readonly IssueGroup[]) => groups.reduce((sum, { count }) => sum + count, 0)

/** Lists the first groups of issues as lines `file:line  column  "value"  reason`, with the number of rows if there are more. */
export function issues(
  title: string,
  groups: readonly IssueGroup[],
  total: number,
  source: string,
): string[] {
  if (groups.length === 0) return []
  const shown = groups.slice(0, LISTED)
  const rows = shown.map(({ column, reason, count, lines: [line], lines, values }) => [
    line === undefined ? `  ${visible(source)}` : `  ${visible(source)}:${line}`,
    visible(column ?? ''),
    values.map(value => `"${visible(value)}"`).join(', '),
    `${visible(reason)}${count === 1 ? '' : `: ${counted(count, 'row')}${linesOf(lines, count)}`}`,
  ])
  // A row may be rejected for several reasons.
  const more = Math.max(total, numberIn(groups)) - numberIn(shown)
  const rest = more > 0 ? [`  ... and ${figure(more)} more (use --json for all)`] : []
  return [...section(title, rows), ...rest]
}

function linesOf(lines: readonly number[], count: number): string {
  if (lines.length < 2) return ''
  return ` (lines ${lines.join(', ')}${count > lines.length ? ', …' : ''})`
}

/** The number of items to list in one line. */
const LISTED_IN_LINE = 5

/** Formats for people the failed checks of an import, the positions held back, and the losses of the release. */
function checksText({
  checks,
  losses,
  heldBack,
  corrected,
}: Pick<ImportReport, 'checks' | 'losses' | 'heldBack' | 'corrected'>): string[] {
  const failed = checks
    .filter(({ outcome }) => outcome !== 'passed')
    .flatMap(({ name, outcome, findings }) =>
      findings.map((finding, at) =>
        at === 0
          ? [`  ${name}`, coloured(outcome, outcome === 'failed' ? 'bad' : 'doubtful'), visible(finding)]
          : ['', '', visible(finding)],
      ),
    )
  const told = new Set(checks.flatMap(({ findings }) => findings))
  const others = losses?.fields.filter(field => field.now < field.before && !told.has(fieldChange(field)))
  return [
    ...section('checks', failed),
    ...section(
      'positions held back',
      heldBack.map(({ name, reason }) => [`  ${visible(name)}`, visible(reason)]),
    ),
    ...section(
      'fields corrected',
      corrected.map(({ name, field, until, why }) => [
        `  ${visible(name)}`,
        field,
        until === null ? '' : `until ${until}`,
        visible(why),
      ]),
    ),
    ...section('compared with the current release', lost(others ?? [], losses?.records ?? null)),
  ]
}

function lost(fields: readonly FieldChange[], records: RecordLosses | null): string[][] {
  const rows = fields.map((field, at) => [at === 0 ? '  fields' : '', fieldChange(field)])
  if (records === null) return rows
  const { gone, renamed, moved } = records
  if (gone.count > 0) rows.push(['  ids gone', inWords(gone, visible, LISTED_IN_LINE)])
  if (renamed.count > 0)
    rows.push([
      '  renamed',
      inWords(renamed, ({ before, now }) => visible(`${before} to ${now}`), LISTED_IN_LINE),
    ])
  if (moved.count > 0)
    rows.push(['  places moved', inWords(moved, each => visible(move(each)), LISTED_IN_LINE)])
  return rows
}

/** Lists the columns whose fields have other names. */
function recognised({ recognisedColumns }: Pick<ImportReport, 'recognisedColumns'>): string[] {
  const others = recognisedColumns.filter(({ column, field }) => fold(column) !== fold(field))
  const rows = others.map(({ column, field }) => [`  "${visible(column)}"`, field])
  return section('columns that are read as fields of other names', rows)
}

/** Lists the columns of the source that match no field. */
export function ignored({ ignoredColumns }: Pick<ImportReport, 'ignoredColumns'>): string[] {
  if (ignoredColumns.length === 0) return []
  const names = ignoredColumns.map(name => `"${visible(name)}"`).join(', ')
  return ['', `columns that match no field (assign them with --map "HEADER=field"): ${names}`]
}

function carParks({ carParks, first, last }: HistoryReport): string[] {
  const rows = carParks.map(({ code, name, readings }) => [
    `  ${visible(code)}`,
    visible(name),
    figure(readings),
  ])
  return section(`from ${first} to ${last}`, rows, ['left', 'left', 'right'])
}

function clockChanges({ repeatedHour, skippedHour }: HistoryReport): string[] {
  const repeated = `${counted(repeatedHour, 'reading')} left out: the clocks show that hour twice, and the file does not say which is meant`
  const skipped = `${counted(skippedHour, 'reading')} moved on by an hour: the clocks skip that hour`
  return [...(repeatedHour > 0 ? ['', repeated] : []), ...(skippedHour > 0 ? ['', skipped] : [])]
}
