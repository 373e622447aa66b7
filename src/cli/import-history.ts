import type { HistoryReport } from '../parking/history/import/import-history.ts'
import type { RejectLimit } from '../releases/import/importable.ts'
import type { ReadingStore, Store } from '../store/store.ts'
import { abortable } from '../values/abortable.ts'
import { type Cli, UsageError } from './cli.ts'
import { historyReportText } from './history-report.ts'
import { interruptible } from './interruption.ts'
import { knownCarParks } from './known-car-parks.ts'
import { print, printJson } from './output.ts'
import { progressDisplay } from './progress.ts'
import { withStore } from './with-store.ts'

/** The argument of `pds import` for readings of the past, in place of a dataset. */
export const LIVE_SPACES = 'live-spaces'

interface Options {
  readonly dryRun?: boolean
  readonly map?: ReadonlyMap<string, string>
  readonly rejectLimit?: RejectLimit
  readonly force?: boolean
  readonly year?: number
  readonly timeZone?: string
  readonly json?: true
}

/** `pds import live-spaces`: adds the readings of a history file to those in the store, or reports why not. */
export async function importLiveSpaces(cli: Cli, source: string, options: Options): Promise<void> {
  if (options.force)
    throw new UsageError(`--force is not for ${LIVE_SPACES}: readings are only ever added, none is lost`)
  const timeZone = options.timeZone ?? cli.config().LIVE_FEED_TIME_ZONE
  const report = await withStore(cli, store =>
    interruptible(async signal => {
      const saving = new AbortController()
      const saveHistory: ReadingStore['saveHistory'] = readings => {
        signal.throwIfAborted()
        saving.abort()
        return store.readings.saveHistory(readings)
      }
      const importing = importWithProgress(source, { ...options, timeZone }, store, saveHistory)
      // An interruption aborts the import until it saves readings; from then on it completes.
      return await abortable(importing, signal, saving.signal)
    }),
  )
  if (options.json) printJson(report)
  else print(...historyReportText(report))
  cli.exitWith(report.outcome === 'refused' ? 1 : 0)
}

async function importWithProgress(
  source: string,
  { dryRun = false, map, rejectLimit, timeZone, year }: Options & { timeZone: string },
  store: Store,
  saveHistory: ReadingStore['saveHistory'],
): Promise<HistoryReport> {
  const display = progressDisplay(process.stderr, LIVE_SPACES)
  try {
    // Imported lazily: a server does not need it.
    const { importHistory } = await import('../parking/history/import/import-history.ts')
    return await importHistory({
      store: { readings: range => store.readings.readings(range), saveHistory },
      source,
      dryRun,
      timeZone,
      carParks: await knownCarParks(store),
      ...(map === undefined ? {} : { map }),
      ...(year === undefined ? {} : { year }),
      ...(rejectLimit === undefined ? {} : { rejectLimit }),
      onProgress: display.update,
    })
  } finally {
    display.stop()
    // Unread standard input would keep the process alive.
    if (source === '-') process.stdin.destroy()
  }
}
