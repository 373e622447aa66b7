import type { JournalEntry } from '../../store/store.ts'
import { cut } from '../../values/text.ts'
import type { ImportReport, IssueGroup } from './report.ts'

/** The parts of a report for people who did not run the import. */
export type Noted = Pick<ImportReport, 'groups' | 'ignoredColumns'> &
  Partial<Pick<ImportReport, 'reason' | 'checks' | 'losses'>> & {
    readonly outcome: string
    /** Places whose positions are not published. */
    readonly heldBack?: readonly { readonly name: string; readonly reason: string }[]
  }

const MOST_NOTES = 10
const LONGEST_NOTE = 300

/** The first findings of an import that a person should know, one sentence each. */
export function notesOf(report: Noted): string[] {
  const { outcome, reason = '', groups, checks = [], ignoredColumns, heldBack = [] } = report
  const isRefused = outcome === 'refused'
  const found = checks.flatMap(({ name, outcome, findings }) =>
    outcome === 'passed' ? [] : findings.map(finding => `${name}, ${outcome}: ${finding}`),
  )
  const notes = [
    ...heldBack.map(({ name, reason }) => `position held back: ${name}, ${reason}`),
    // The reason of a refusal already states the first findings.
    ...found.filter(note => !reason.includes(note.slice(note.indexOf(': ') + 2))),
    ...groups.rejections.map(group => `rejected: ${issue(group)}`),
    ...groups.warnings.map(group => `warning: ${issue(group)}`),
    ...(isRefused && ignoredColumns.length > 0
      ? [`columns that match no field: ${ignoredColumns.map(quoted).join(', ')}`]
      : []),
  ]
  const more = notes.length - MOST_NOTES
  const shown = notes.slice(0, MOST_NOTES).map(note => cut(note, LONGEST_NOTE))
  return more > 0 ? [...shown, `and ${more} more in the report`] : shown
}

/** The notes of a report, and whether a person should look at a doubtful release that nobody watched. */
export function notedOf(report: Noted) {
  const { checks = [], losses, heldBack = [] } = report
  const isWatched = checks.some(({ outcome }) => outcome === 'accepted')
  const isDoubtful = heldBack.length > 0 || (losses?.records?.moved.count ?? 0) > 0
  const notes = notesOf(report)
  return {
    notes: notes.length > 0 ? notes : undefined,
    needsPerson: isDoubtful && !isWatched ? true : undefined,
  }
}

function issue({ column, reason, count, lines, values }: IssueGroup): string {
  const where = [
    ...(lines.length > 0 ? [`line ${lines.join(', ')}`] : []),
    ...(column === null ? [] : [`column ${quoted(column)}`]),
    ...values.map(quoted),
  ].join(', ')
  return `${where}${where && ': '}${reason}${count > 1 ? ` (${count} rows)` : ''}`
}

const quoted = (text: string) => `"${text}"`

/** The command that publishes a refused import as it is; undefined unless checks refused it that can be accepted. */
export function acceptCommand(
  { actor, dataset }: Pick<JournalEntry, 'actor' | 'dataset'>,
  { outcome, source = '', checks = [], contentHash }: Partial<ImportReport>,
): string | undefined {
  if (outcome !== 'refused' || !contentHash) return undefined
  const failed = checks.flatMap(({ name, outcome }) => (outcome === 'failed' ? [` --accept ${name}`] : []))
  // A report shows an address without its secrets.
  const file = source.includes('…') ? 'FILE' : `'${source.replaceAll("'", "'\\''")}'`
  return `pds ${actor === 'schedule' ? `sources ${dataset}` : `import ${dataset} ${file}`}${failed.join('')}`
}

/** An entry of the journal in a line. */
export function entryLine({ dataset, number, event, at, last, times, ...entry }: JournalEntry): string {
  const release = entry.release === null ? '' : ` release ${entry.release}`
  const often = times === 1 ? '' : `, ${times} times since ${at}`
  const detail = entry.detail === null ? '' : `: ${entry.detail}`
  return `${dataset} ${number}  ${last}  ${event}${release}${often}, by ${entry.actor}, from ${entry.source}${detail}`
}

const MOST_ITEMS = 100
const LONGEST_TEXT = 2000
const MOST_CHARACTERS = 65_536

/** A report shortened for storage: the first items of each list, in less than 64 Ki characters of JSON. */
export function keptReport(report: ImportReport): object {
  const whole = JSON.stringify(report)
  for (let most = MOST_ITEMS; ; most = Math.floor(most / 2)) {
    const kept = JSON.parse(whole, (_, value) =>
      Array.isArray(value)
        ? value.slice(0, most)
        : typeof value === 'string'
          ? cut(value, LONGEST_TEXT)
          : value,
    )
    if (most === 0 || JSON.stringify(kept).length < MOST_CHARACTERS) return kept
  }
}
