import type { HistoryReport } from '../parking/history/import/import-history.ts'
import type { RepeatedHour } from '../parking/history/import/times/ambiguous-hours.ts'
import { columns } from './columns.ts'
import { ignored, issues } from './import-report.ts'
import { visible } from './visible.ts'
import { counted, figure, span } from './words.ts'

/** Formats the report of an import of history for people: the outcome, the numbers, and the first rows to correct. */
export function historyReportText(report: HistoryReport): string[] {
  const { rejections, warnings, source } = report
  return [
    outcome(report),
    ...(report.read === 0 ? [] : ['', ...numbers(report)]),
    ...carParks(report),
    ...repeatedHours(report.repeatedHours),
    // A row of a file may hold several readings, so the number of listed rows is not that of rejected readings.
    ...issues('rejected rows', rejections, rejections.length, source),
    ...issues('warnings', warnings, warnings.length, source),
    ...ignored(report),
  ]
}

function outcome({ dataset, outcome, added, reason }: HistoryReport): string {
  if (outcome === 'added') return `${dataset}: added ${counted(added, 'reading')}`
  if (outcome === 'nothing new') return `${dataset}: nothing new: all readings are known`
  if (outcome === 'dry run') return `${dataset}: dry run, nothing was added`
  return `${dataset}: refused, nothing was changed: ${visible(reason ?? '')}`
}

function numbers(report: HistoryReport): string[] {
  const { read, accepted, rejected, skipped, warned, added, durationMs } = report
  const rows = Object.entries({ read, accepted, rejected, skipped, warned, added }).map(([name, value]) => [
    `  ${name}`,
    figure(value),
  ])
  return columns([...rows, ['  took', span(durationMs)]], ['left', 'right'])
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

function repeatedHours(hours: readonly RepeatedHour[]): string[] {
  if (hours.length === 0) return []
  const rows = hours.map(
    ({ from, first, second, by }) =>
      `  ${from}  ${figure(first)} readings in the first pass, ${figure(second)} in the second, told apart by ${HOW[by]}`,
  )
  return ['', 'hours that the clocks showed twice:', ...rows]
}

const HOW: Readonly<Record<RepeatedHour['by'], string>> = {
  order: 'the order of the file',
  counts: 'their rhythm and counts',
}
