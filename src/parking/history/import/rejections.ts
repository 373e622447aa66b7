import type { RowIssue } from '../../../releases/import/report.ts'
import { type ImportStatistics, recordRejection } from '../../../releases/import/statistics.ts'
import { REJECTED, type ReadingTable, WRITTEN } from './reading-table.ts'

const SHOWN = 80

/** Records a number of rejected readings of a line as one issue. */
export function rejectReadings(statistics: ImportStatistics, readings: number, issue: RowIssue): void {
  if (readings === 0) return
  recordRejection(statistics, { ...issue, value: issue.value?.slice(0, SHOWN) ?? null })
  statistics.rejected += readings - 1
}

/** Rejects a reading by its place in the table. */
export type RejectTaken = (at: number, reason: string) => void

/** Creates the rejection of readings in a table; consecutive ones of one line and reason are one issue. */
export function rejectTaken(
  table: ReadingTable,
  statistics: ImportStatistics,
  timeColumn: string,
): RejectTaken {
  let last = { line: 0, reason: '' }
  return (at, reason) => {
    const line = table.lines[at] as number
    if (line === last.line && reason === last.reason) statistics.rejected++
    else rejectReadings(statistics, 1, { line, column: timeColumn, value: timeText(table, at), reason })
    last = { line, reason }
    table.spaces[at] = REJECTED
  }
}

/** The time nearly as the file has it. */
function timeText({ times, written }: ReadingTable, at: number): string {
  const text = new Date(times[at] as number).toISOString()
  if (written[at] === WRITTEN.instant) return text
  const local = text.replace('T', ' ').slice(0, 19)
  return written[at] === WRITTEN.local ? local : local.slice('YYYY-'.length)
}
