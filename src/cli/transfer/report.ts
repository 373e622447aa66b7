import type { Backup, Carried } from '../../store/transfer/transfer.ts'
import { counted, figure } from '../../values/numbers.ts'
import { columns, shortHash, size, span, visible } from '../output/text.ts'

/**
 * The report of a backup, a restore or a copy; formatted for people, or printed unchanged with `--json`. A copy has no file,
 * and so nothing about it.
 */
export interface TransferReport extends Carried, Partial<Omit<Backup, keyof Carried>> {
  readonly outcome: 'written' | 'verified' | 'restored' | 'copied'
  readonly from: string
  /** Absent where a file was only verified. */
  readonly to?: string
  readonly durationMs: number
}

const PLACES: Readonly<Record<TransferReport['outcome'], (from: string, to: string) => string>> = {
  written: (from, to) => `wrote ${from} to ${to}`,
  verified: from => `${from} is whole`,
  restored: (from, to) => `restored ${from} into ${to}`,
  copied: (from, to) => `copied ${from} to ${to}`,
}

/** Formats the report for people: the outcome, the numbers, and what is missing. */
export function transferReportText(report: TransferReport): string[] {
  const { outcome, from, to = '', at, bytes, sha256, releases, tables, missing, durationMs } = report
  const numbers = {
    releases: figure(releases.length),
    records: figure(releases.reduce((sum, { rows }) => sum + rows, 0)),
    readings: figure(tables.readings ?? 0),
    ...(bytes !== undefined && { size: size(bytes) }),
    ...(at !== undefined && { 'as of': at }),
    ...(sha256 !== undefined && { 'SHA-256': shortHash(sha256) }),
    took: span(durationMs),
  }
  const lack = missing.length === 0 ? '' : `, without ${counted(missing.length, 'damaged release')}`
  return [
    visible(PLACES[outcome](from, to)) + lack,
    '',
    ...columns(Object.entries(numbers).map(([name, value]) => [`  ${name}`, value])),
    ...(lack && ['', 'missing:', ...missing.map(({ reason }) => `  ${visible(reason)}`)]),
  ]
}
