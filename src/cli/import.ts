import type { Dataset } from '../datasets/dataset.ts'
import type { RejectLimit } from '../releases/import/importable.ts'
import type { ImportReport } from '../releases/import/report.ts'
import type { Store } from '../store/store.ts'
import { type AddCommand, UsageError } from './cli.ts'
import { datasetNamed } from './dataset-argument.ts'
import { addMapping, parseRejectLimit, parseTimeZone, parseYear, requireFields } from './import-arguments.ts'
import { importLiveSpaces, LIVE_SPACES } from './import-history.ts'
import { importReportText } from './import-report.ts'
import { interruptible } from './interruption.ts'
import { print, printJson } from './output.ts'
import { progressDisplay } from './progress.ts'
import { withStore } from './with-store.ts'

interface Options {
  dryRun?: boolean
  map?: ReadonlyMap<string, string>
  rejectLimit?: RejectLimit
  force?: boolean
  year?: number
  timeZone?: string
  json?: true
}

/** `pds import`: publishes a source as a release, or reports why not; readings of the past are only added. */
export const addImport: AddCommand = (program, cli) => {
  program
    .command('import')
    .description('publish a new release of a dataset from a file, or add readings of the past')
    .argument('<dataset>', `name of the dataset, or ${LIVE_SPACES} for a history of free spaces`)
    .argument('<file>', 'JSON or CSV, gzip or not; - for standard input')
    .option('--dry-run', 'report all, publish nothing')
    .option(
      '--map <"HEADER=field">',
      'column of the source that goes into a field; may be repeated',
      addMapping,
    )
    .option('--reject-limit <N|N%>', 'refuse the import if more rows are rejected', parseRejectLimit)
    .option('--force', 'publish although a fifth of the records would go, or there would be tenfold')
    .option('--year <YYYY>', `${LIVE_SPACES}: year of the first reading, where the file has none`, parseYear)
    .option(
      '--time-zone <zone>',
      `${LIVE_SPACES}: zone of local times, by default LIVE_FEED_TIME_ZONE`,
      parseTimeZone,
    )
    .option('--json', 'print the report as JSON')
    .action(async (name: string, file: string, options: Options) => {
      if (name === LIVE_SPACES) return importLiveSpaces(cli, file, options)
      const dataset = datasetNamed(name, [LIVE_SPACES])
      if (options.year !== undefined || options.timeZone !== undefined)
        throw new UsageError(`--year and --time-zone are for ${LIVE_SPACES} alone`)
      if (options.map !== undefined) requireFields(options.map, dataset.record)
      const report = await withStore(cli, store =>
        interruptible(signal => importWithProgress(dataset, file, options, { store, signal })),
      )
      if (options.json) printJson(report)
      else print(...importReportText(report))
      cli.exitWith(report.outcome === 'refused' ? 1 : 0)
    })
}

async function importWithProgress(
  dataset: Dataset,
  source: string,
  { dryRun = false, force = false, map, rejectLimit }: Options,
  { store, signal }: { store: Store; signal: AbortSignal },
): Promise<ImportReport> {
  const display = progressDisplay(process.stderr, dataset.name)
  try {
    // Imported lazily: a server does not need it.
    const { importDataset } = await import('../releases/import/import.ts')
    return await importDataset({
      store,
      signal,
      dataset,
      source,
      dryRun,
      force,
      ...(map === undefined ? {} : { map: Object.fromEntries(map) }),
      ...(rejectLimit === undefined ? {} : { rejectLimit }),
      onProgress: display.update,
      onWait: () => process.stderr.write('waiting for another import to finish\n'),
    })
  } finally {
    display.stop()
    // Unread standard input would keep the process alive.
    if (source === '-') process.stdin.destroy()
  }
}
