import type { Dataset } from '../../datasets/dataset.ts'
import { DATASETS } from '../../datasets/index.ts'
import { dependentChecks } from '../../publishing/publish-checks.ts'
import type { ImportReport } from '../../releases/import/report.ts'
import {
  addCheck,
  addColumn,
  addMapping,
  columnMap,
  datasetNamed,
  parseRejectLimit,
  parseTimeZone,
  parseYear,
} from '../arguments.ts'
import { type AddCommand, type Cli, UsageError, withStore } from '../cli.ts'
import { interruptible } from '../interruption.ts'
import { importReportText } from '../output/import-report.ts'
import { print, printJson } from '../output/print.ts'
import { withProgress } from '../output/progress.ts'
import { notifyRefused } from '../output/refused-import.ts'
import { readingOption } from '../reading-options.ts'
import { requireSource, sourceNamed } from '../source-argument.ts'
import { type ImportArguments, importLiveSpaces, LIVE_SPACES } from './import-history.ts'

/** `pds import`: publishes a source as a release, or reports why not; readings of the past are only added. */
export const addImport: AddCommand = (program, cli) => {
  program
    .command('import')
    .description('publish a new release of a dataset from a file, or add past readings')
    .argument('<dataset>', `name of the dataset, or ${LIVE_SPACES} for a history of free spaces`)
    .argument('<file>', 'CSV, JSON, NDJSON, GeoJSON or .xlsx, or its http(s) address; - for standard input')
    .option('--dry-run', 'print the full report, publish nothing')
    .option('--map <"HEADER=field">', 'read a field from this column; can be repeated', addMapping)
    .option('--ignore <HEADER>', 'leave out this column; can be repeated', addColumn)
    .addOption(readingOption('delimiter'))
    .addOption(readingOption('listSeparator'))
    .addOption(readingOption('encoding'))
    .addOption(readingOption('sheet'))
    .option('--reject-limit <N|N%>', 'refuse the import if more rows are rejected', parseRejectLimit)
    .option('--accept <check>', 'publish although this check fails; can be repeated', addCheck)
    .option('--force', 'publish whichever checks fail; take createdAt of known ids from the source')
    .option('--allow-private', 'allow addresses of this machine and of private networks')
    .option('--year <YYYY>', `${LIVE_SPACES}: year of the first reading, if the file has none`, parseYear)
    .option(
      '--time-zone <zone>',
      `${LIVE_SPACES}: zone of local times, by default LIVE_FEED_TIME_ZONE`,
      parseTimeZone,
    )
    .option('--json', 'print the report as JSON')
    .action(async (name: string, file: string, options: ImportArguments) => {
      requireSource(file, options.allowPrivate)
      if (name === LIVE_SPACES) return importLiveSpaces(cli, file, options)
      const dataset = datasetNamed(name, [LIVE_SPACES])
      if (options.year !== undefined || options.timeZone !== undefined)
        throw new UsageError(`--year and --time-zone are for ${LIVE_SPACES} alone`)
      columnMap(options, dataset.record)
      const report = await importInto(dataset, cli, file, options)
      if (options.json) printJson(report)
      else print(...importReportText(report))
      cli.exitWith(report.outcome === 'refused' ? 1 : 0)
      if (report.outcome === 'refused' && !options.dryRun) await notifyRefused(cli.config(), report)
    })
}

function importInto(
  dataset: Dataset,
  cli: Cli,
  file: string,
  options: ImportArguments,
): Promise<ImportReport> {
  const { dryRun = false, force = false, accept = [], rejectLimit, allowPrivate } = options
  return withStore(cli, store =>
    interruptible(signal => {
      const named = sourceNamed(file, { allowPrivate, signal })
      return withProgress(dataset.name, named.source, async onProgress => {
        // Imported lazily: a server does not need it.
        const { importDataset } = await import('../../releases/import/import.ts')
        if (named.input !== undefined)
          onProgress({ rows: 0, bytesRead: 0, bytesTotal: null, phase: 'receiving it' })
        return importDataset({
          ...{ store, signal, dataset, ...named, reading: options, dryRun, force, accept, onProgress },
          ...{ others: DATASETS, dependents: dependentChecks(dataset.name, store) },
          ...columnMap(options, dataset.record),
          ...(rejectLimit && { rejectLimit }),
          onWait: () => process.stderr.write('waiting for another import to finish\n'),
        })
      })
    }),
  )
}
