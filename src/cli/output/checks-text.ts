import { type FieldChange, inWords, type RecordLosses } from '../../releases/import/checks/comparison.ts'
import { fieldChange, move } from '../../releases/import/checks/release-checks.ts'
import type { ImportReport } from '../../releases/import/report.ts'
import { columns, visible } from './text.ts'

/** Items of a list in one line. */
const LISTED = 5

/** Formats for people which checks of an import failed, which positions are held back, and what the release loses. */
export function checksText({
  checks,
  losses,
  heldBack,
}: Pick<ImportReport, 'checks' | 'losses' | 'heldBack'>): string[] {
  const failed = checks
    .filter(({ outcome }) => outcome !== 'passed')
    .flatMap(({ name, outcome, findings }) =>
      findings.map((finding, at) =>
        at === 0 ? [`  ${name}`, outcome, visible(finding)] : ['', '', visible(finding)],
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
    ...section('compared with the current release', lost(others ?? [], losses?.records ?? null)),
  ]
}

function lost(fields: readonly FieldChange[], records: RecordLosses | null): string[][] {
  return [
    ...fields.map((field, at) => [at === 0 ? '  fields' : '', fieldChange(field)]),
    ...(records !== null && records.gone.count > 0
      ? [['  ids gone', inWords(records.gone, visible, LISTED)]]
      : []),
    ...(records !== null && records.renamed.count > 0
      ? [['  renamed', inWords(records.renamed, ({ before, now }) => visible(`${before} to ${now}`), LISTED)]]
      : []),
    ...(records !== null && records.moved.count > 0
      ? [['  places moved', inWords(records.moved, moved => visible(move(moved)), LISTED)]]
      : []),
  ]
}

const section = (title: string, rows: readonly string[][]) =>
  rows.length === 0 ? [] : ['', `${title}:`, ...columns(rows)]
