import { tableOptions } from '../../store/engine.ts'
import type * as transfers from '../../store/transfer/transfer.ts'
import { counted, figure } from '../../values/numbers.ts'
import type { Cli } from '../cli.ts'
import { interruptible } from '../interruption.ts'
import { printReport } from '../output/print.ts'
import { withProgress } from '../output/progress.ts'
import { columns, shortHash, size, span, visible } from '../output/text.ts'
import { STORED_DATASETS } from '../stored-datasets.ts'

/** The same time as an import waits for another one. */
const WAIT_MS = 30_000

/** The kinds of transfers, by outcome: the name to show during the transfer, and the line to print after it. */
const TRANSFERS = {
  written: { name: 'backup', done: (from: string, to: string) => `wrote ${from} to ${to}` },
  verified: { name: 'verifying', done: (from: string) => `${from} is whole` },
  restored: { name: 'restore', done: (from: string, to: string) => `restored ${from} into ${to}` },
  copied: { name: 'copy', done: (from: string, to: string) => `copied ${from} to ${to}` },
} as const

/** The source and the target of a transfer, without secrets; `-` for standard input and output. */
interface Places {
  readonly from: string
  /** Absent if a file is only verified. */
  readonly to?: string
}

/** The report of a backup, a restore or a copy. A copy has no file, so its report lacks the file's details. */
interface TransferReport
  extends Places,
    transfers.Carried,
    Partial<Omit<transfers.Backup, keyof transfers.Carried>> {
  readonly outcome: keyof typeof TRANSFERS
  readonly durationMs: number
}

/** Runs a transfer, shows its progress, and prints the report. The exit status is 1 if a release is missing. */
export async function runTransfer(
  cli: Cli,
  outcome: TransferReport['outcome'],
  json: boolean | undefined,
  places: Places,
  carry: (transfer: typeof transfers, options: transfers.TransferOptions) => Promise<transfers.Carried>,
): Promise<void> {
  // Imported lazily: the help does not need it.
  const transfer = await import('../../store/transfer/transfer.ts')
  const started = performance.now()
  const carried = await interruptible(signal =>
    withProgress(TRANSFERS[outcome].name, places.from, onProgress =>
      carry(transfer, {
        datasets: STORED_DATASETS,
        tables: tableOptions(cli.config()),
        signal,
        onProgress,
        waitMs: WAIT_MS,
        onWait: () => process.stderr.write('waiting for an import to finish\n'),
      }),
    ),
  )
  const durationMs = Math.round(performance.now() - started)
  // A backup on standard output must not have a report in it.
  const output = places.to === '-' ? process.stderr : process.stdout
  printReport({ ...carried, ...places, outcome, durationMs }, json, transferText, output)
  if (carried.missing.length > 0) cli.exitWith(1)
}

/** Formats the report for people: the outcome, the numbers, and what is missing. */
function transferText(report: TransferReport): string[] {
  const { outcome, from, to = '', at, bytes, sha256, releases, tables, missing, durationMs } = report
  const numbers = {
    releases: figure(releases.length),
    records: figure(releases.reduce((sum, { rows }) => sum + rows, 0)),
    readings: figure(tables.readings ?? 0),
    size: bytes && size(bytes),
    'as of': at,
    'SHA-256': sha256 && shortHash(sha256),
    took: span(durationMs),
  }
  const lack = missing.length === 0 ? '' : `, without ${counted(missing.length, 'damaged release')}`
  return [
    visible(
      TRANSFERS[outcome].done(from.replace(/^-$/, 'standard input'), to.replace(/^-$/, 'standard output')),
    ) + lack,
    '',
    ...columns(Object.entries(numbers).flatMap(([name, value]) => (value ? [[`  ${name}`, value]] : []))),
    ...(lack && ['', 'missing:', ...missing.map(({ reason }) => `  ${visible(reason)}`)]),
  ]
}
