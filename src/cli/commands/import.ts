import { carparks } from '../../datasets/carparks/index.ts'
import type { Dataset } from '../../datasets/dataset.ts'
import { DATASETS } from '../../datasets/index.ts'
import type { KnownCarPark } from '../../parking/history/import/car-park-index.ts'
import type { HistoryReport } from '../../parking/history/import/import-history.ts'
import { readCorrections } from '../../publishing/corrections-file.ts'
import { dependentChecks } from '../../publishing/publish-checks.ts'
import type { RejectLimit } from '../../releases/import/importable.ts'
import type { ImportReport } from '../../releases/import/report.ts'
import type { Store } from '../../store/store.ts'
import { shownAddress } from '../../values/addresses/shown-address.ts'
import { runBy } from '../../values/system/user.ts'
import {
  acceptOption,
  datasetArgument,
  datasetNamed,
  parseRejectLimit,
  parseTimeZone,
  parseYear,
} from '../arguments.ts'
import { type Cli, type DefineCommand, UsageError, withStore } from '../cli.ts'
import { interruptible } from '../interruption.ts'
import { historyReportText, importReportText } from '../output/import-report.ts'
import { printReport } from '../output/print.ts'
import { withProgress } from '../output/progress.ts'
import { namedSource, SOURCE_OPTIONS, type SourceArguments } from '../source-arguments.ts'

/** The argument of `pds import` for readings of the past, in place of a dataset. */
const LIVE_SPACES = 'live-spaces'

/** The options of `pds import`. */
interface ImportArguments extends SourceArguments {
  readonly dryRun?: boolean
  readonly rejectLimit?: RejectLimit
  readonly force?: boolean
  readonly accept?: readonly string[]
  readonly year?: number
  readonly timeZone?: string
  readonly json?: true
}

/** `pds import`: publishes a source as a release, or reports why not; readings of the past are only added. */
export const defineCommand: DefineCommand = (command, cli) => {
  for (const option of SOURCE_OPTIONS) command.addOption(option)
  command
    .description('publish a new release of a dataset from a file, or add past readings')
    .addArgument(datasetArgument('<dataset>', `dataset, or ${LIVE_SPACES} for past readings`, [LIVE_SPACES]))
    .argument('<file>', 'CSV, JSON, NDJSON, GeoJSON or .xlsx, or its http(s) address; - for standard input')
    .option('--dry-run', 'print the full report, publish nothing')
    .option('--reject-limit <N|N%>', 'refuse the import if more rows are rejected', parseRejectLimit)
    .addOption(acceptOption('publish although this check fails; can be repeated'))
    .option('--force', 'publish whichever checks fail; take createdAt of known ids from the source')
    .option('--year <YYYY>', `${LIVE_SPACES}: year of the first reading, if the file has none`, parseYear)
    .option(
      '--time-zone <zone>',
      `${LIVE_SPACES}: zone of local times, by default LIVE_FEED_TIME_ZONE`,
      parseTimeZone,
    )
    .option('--json', 'print the report as JSON')
    .action(async (name: string, file: string, options: ImportArguments) => {
      const report =
        name === LIVE_SPACES
          ? await importLiveSpaces(cli, file, options)
          : await importRelease(datasetNamed(name, [LIVE_SPACES]), cli, file, options)
      printReport(report, options.json, () =>
        'batch' in report ? historyReportText(report) : importReportText(report),
      )
      if (report.outcome !== 'refused') return
      cli.exitWith(1)
      if (options.dryRun) return
      // Imported lazily: most imports are not refused.
      const { notifyRefused } = await import('./notify.ts')
      await notifyRefused(cli.config(), report)
    })
}

/** `pds import <dataset>`: publishes the records of a source as the dataset's next release. */
function importRelease(
  dataset: Dataset,
  cli: Cli,
  file: string,
  options: ImportArguments,
): Promise<ImportReport> {
  if (options.year !== undefined || options.timeZone !== undefined)
    throw new UsageError(`--year and --time-zone are for ${LIVE_SPACES} alone`)
  const open = namedSource(file, options, dataset.record)
  const { dryRun = false, force = false, accept = [], rejectLimit } = options
  const corrections = readCorrections(cli.config()).get(dataset.name)
  return withStore(cli, store =>
    interruptible(signal => {
      const opened = open(signal)
      return withProgress(dataset.name, opened.source, async onProgress => {
        // Imported lazily: a server does not need it.
        const { importDataset } = await import('../../releases/import/import.ts')
        if (opened.input !== undefined)
          onProgress({ rows: 0, bytesRead: 0, bytesTotal: null, phase: 'receiving it' })
        return importDataset({
          store,
          signal,
          dataset,
          actor: runBy('pds import'),
          ...opened,
          dryRun,
          force,
          accept,
          onProgress,
          others: DATASETS,
          dependents: dependentChecks(dataset.name, store),
          corrections,
          rejectLimit,
          onWait: () => process.stderr.write('waiting for another import to finish\n'),
        })
      })
    }),
  )
}

/** `pds import live-spaces`: adds the readings of a history file to the store. */
function importLiveSpaces(cli: Cli, source: string, options: ImportArguments): Promise<HistoryReport> {
  if (source.includes('://'))
    throw new UsageError(
      `${shownAddress(source)} is an address, which is not for ${LIVE_SPACES}: fetch it and import the result`,
    )
  const { dryRun = false, map, rejectLimit, year } = options
  const { force, accept, ignore, listSeparator, allowPrivate } = options
  const others = [
    ['force', force, 'readings are only ever added, none is lost'],
    ['accept', accept, 'readings are only ever added, none is lost'],
    ['ignore', ignore, 'use --map "HEADER=-"'],
    ['list-separator', listSeparator, 'a reading has no lists'],
    ['allow-private', allowPrivate, 'a history is not fetched'],
  ] as const
  for (const [option, value, reason] of others)
    if (value !== undefined) throw new UsageError(`--${option} is not for ${LIVE_SPACES}: ${reason}`)
  return withStore(cli, store =>
    interruptible(signal =>
      withProgress(LIVE_SPACES, source, async onProgress => {
        // Imported lazily: a server does not need it.
        const { feedTimeZone } = await import('../../parking/local-clock.ts')
        const { importHistory } = await import('../../parking/history/import/import-history.ts')
        return importHistory({
          store: store.readings,
          carParks: await knownCarParks(store),
          source,
          signal,
          reading: options,
          dryRun,
          timeZone: options.timeZone ?? feedTimeZone(cli.config()),
          onProgress,
          map,
          year,
          rejectLimit,
        })
      }),
    ),
  )
}

/** The car parks that a history file may name: with readings in the store, or with a code in the current release. */
async function knownCarParks(store: Store): Promise<KnownCarPark[]> {
  const byCode = new Map<string, KnownCarPark>()
  const add = (code: string, name: string) => {
    const key = code.toUpperCase()
    const known = byCode.get(key) ?? { code, names: [] }
    byCode.set(key, { ...known, names: [...known.names, name] })
  }
  // The feed's own names come first: readings are stored under them.
  for (const { code, name } of await store.readings.keptHistory()) add(code, name)
  const release = await store.releases.current(carparks.name)
  if (release !== undefined) {
    const { records } = await store.releases.open(release, carparks.layout)
    for await (const { liveTrackingCode, name } of records())
      if (typeof liveTrackingCode === 'string') add(liveTrackingCode, String(name))
  }
  return [...byCode.values()]
}
