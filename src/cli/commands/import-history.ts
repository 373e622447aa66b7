import { carparks } from '../../datasets/carparks/index.ts'
import type { KnownCarPark } from '../../parking/history/import/car-park-index.ts'
import type { RejectLimit } from '../../releases/import/importable.ts'
import type { SourceOptions } from '../../sources/source-options.ts'
import type { ReadingStore, Store } from '../../store/store.ts'
import { shownAddress } from '../../values/addresses/shown-address.ts'
import { abortable } from '../../values/promises.ts'
import type { ColumnOptions } from '../arguments.ts'
import { type Cli, UsageError, withStore } from '../cli.ts'
import { interruptible } from '../interruption.ts'
import { historyReportText } from '../output/import-report.ts'
import { print, printJson } from '../output/print.ts'
import { withProgress } from '../output/progress.ts'
import { notifyRefused } from '../output/refused-import.ts'

/** The argument of `pds import` for readings of the past, in place of a dataset. */
export const LIVE_SPACES = 'live-spaces'

/** The options of `pds import`. */
export interface ImportArguments extends SourceOptions, ColumnOptions {
  readonly dryRun?: boolean
  readonly rejectLimit?: RejectLimit
  readonly force?: boolean
  readonly allowPrivate?: true
  readonly accept?: readonly string[]
  readonly year?: number
  readonly timeZone?: string
  readonly json?: true
}

/** `pds import live-spaces`: adds the readings of a history file to those in the store, or reports why not. */
export async function importLiveSpaces(cli: Cli, source: string, options: ImportArguments): Promise<void> {
  const { dryRun = false, map, rejectLimit, year, json } = options
  for (const option of ['force', 'accept'] as const)
    if (options[option])
      throw new UsageError(
        `--${option} is not for ${LIVE_SPACES}: readings are only ever added, none is lost`,
      )
  if (source.includes('://'))
    throw new UsageError(
      `${shownAddress(source)} is an address, which is not for ${LIVE_SPACES}: fetch it and import the result`,
    )
  if (options.ignore !== undefined)
    throw new UsageError(`--ignore is not for ${LIVE_SPACES}: use --map "HEADER=-"`)
  if (options.listSeparator !== undefined)
    throw new UsageError(`--list-separator is not for ${LIVE_SPACES}: a reading has no lists`)
  const timeZone = options.timeZone ?? cli.config().LIVE_FEED_TIME_ZONE
  const report = await withStore(cli, store =>
    interruptible(signal => {
      const saving = new AbortController()
      const saveHistory: ReadingStore['saveHistory'] = (readings, from) => {
        signal.throwIfAborted()
        saving.abort()
        return store.readings.saveHistory(readings, from)
      }
      const importing = withProgress(LIVE_SPACES, source, async onProgress => {
        // Imported lazily: a server does not need it.
        const { importHistory } = await import('../../parking/history/import/import-history.ts')
        return importHistory({
          store: { readings: range => store.readings.readings(range), saveHistory },
          carParks: await knownCarParks(store),
          ...{ source, reading: options, dryRun, timeZone, onProgress },
          ...(map && { map }),
          ...(year !== undefined && { year }),
          ...(rejectLimit && { rejectLimit }),
        })
      })
      // An interruption aborts the import until it saves readings; from then on it completes.
      return abortable(importing, signal, saving.signal)
    }),
  )
  if (json) printJson(report)
  else print(...historyReportText(report))
  cli.exitWith(report.outcome === 'refused' ? 1 : 0)
  if (report.outcome === 'refused' && !dryRun) await notifyRefused(cli.config(), report)
}

/** The car parks that a history file may name: those with readings, and those of the current release with a code. */
async function knownCarParks(store: Store): Promise<KnownCarPark[]> {
  const byCode = new Map<string, { code: string; names: string[] }>()
  const add = (code: string, name: string) => {
    const known = byCode.get(code.toUpperCase())
    if (known === undefined) byCode.set(code.toUpperCase(), { code, names: [name] })
    else known.names.push(name)
  }
  // The feed's own names come first: readings are stored under them.
  for (const { code, name } of await store.readings.keptHistory()) add(code, name)
  const release = await store.releases.current(carparks.name)
  if (release === undefined) return [...byCode.values()]
  const open = await store.releases.open(release, carparks.layout)
  for await (const { liveTrackingCode, name } of open.records())
    if (typeof liveTrackingCode === 'string') add(liveTrackingCode, String(name))
  return [...byCode.values()]
}
