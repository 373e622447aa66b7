import { tableOptions } from '../../store/engine.ts'
import type { TransferOptions } from '../../store/transfer/transfer.ts'
import type { Cli } from '../cli.ts'
import { interruptible } from '../interruption.ts'
import { print, printJson } from '../output/print.ts'
import { withProgress } from '../output/progress.ts'
import { STORED_DATASETS } from '../stored-datasets.ts'
import { type TransferReport, transferReportText } from './report.ts'

/** As long as an import waits for another one. */
const WAIT_MS = 30_000

type Outcome = Omit<TransferReport, 'outcome' | 'durationMs'>

/** Runs what carries a store, with its progress, and prints its report; the exit status is 1 where a release is missing. */
export async function runTransfer(
  cli: Cli,
  outcome: TransferReport['outcome'],
  json: boolean | undefined,
  run: (
    step: <T>(name: string, take: (options: TransferOptions) => Promise<T>) => Promise<T>,
  ) => Promise<Outcome>,
): Promise<void> {
  const started = performance.now()
  const carried = await interruptible(signal =>
    run((name, take) =>
      withProgress(name, '', onProgress =>
        take({
          ...{
            datasets: STORED_DATASETS,
            tables: tableOptions(cli.config()),
            signal,
            onProgress,
            waitMs: WAIT_MS,
          },
          onWait: () => process.stderr.write('waiting for an import to finish\n'),
        }),
      ),
    ),
  )
  const report = { ...carried, outcome, durationMs: Math.round(performance.now() - started) }
  if (json) printJson(report)
  else print(...transferReportText(report))
  cli.exitWith(report.missing.length === 0 ? 0 : 1)
}
