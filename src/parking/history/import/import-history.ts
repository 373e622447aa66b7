import type { Readable } from 'node:stream'
import { tooManyRejected } from '../../../releases/import/checks/limits.ts'
import type { RejectLimit } from '../../../releases/import/importable.ts'
import { type ImportReport, type Progress, reported } from '../../../releases/import/report.ts'
import { openBytes } from '../../../sources/bytes.ts'
import { Refusal } from '../../../sources/source-row.ts'
import type { HistoricReading, ReadingStore, SavedHistory } from '../../../store/store.ts'
import { abortable } from '../../../values/promises.ts'
import { DAY_MS } from '../../../values/time-units.ts'
import {
  createHistoryStatistics,
  type History,
  type HistoryOptions,
  type HistoryStatistics,
  readHistory,
} from './history-file.ts'

/** The options of an import of history. */
interface HistoryImport extends Omit<HistoryOptions, 'statistics' | 'onProgress'> {
  readonly store: Pick<ReadingStore, 'saveHistory' | 'readings'>
  /** The path of a file, or `-`, or a name for `input`. */
  readonly source: string
  /** The bytes; without it the file at `source` is read. */
  readonly input?: Readable
  /** A number or percentage of readings; by default {@link REJECT_LIMIT}. */
  readonly rejectLimit?: RejectLimit | undefined
  /** Report everything, save nothing. */
  readonly dryRun?: boolean
  /** Once aborted the import throws its reason and saves nothing, unless it is saving already. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: (progress: Progress) => void
}

/** The report of an import of history. Numbers are of readings; `changed` and `removed` are always 0. */
export interface HistoryReport
  extends Omit<
      ImportReport,
      | 'outcome'
      | 'release'
      | 'contentHash'
      | 'checks'
      | 'losses'
      | 'heldBack'
      | 'corrected'
      | 'recognisedColumns'
    >,
    Omit<History, 'readings'>,
    Pick<HistoryStatistics, 'repeatedHour' | 'skippedHour'> {
  /** `nothing new` if all readings were known. A known reading is never replaced. */
  readonly outcome: 'added' | 'nothing new' | 'dry run' | 'refused'
  /** The number of the batch, to remove all added readings together; null if no reading was added. */
  readonly batch: number | null
}

/** A year of readings is not refused for a few malformed lines. */
const REJECT_LIMIT: RejectLimit = { percent: 1 }

interface Findings extends Partial<SavedHistory> {
  readonly found?: Omit<History, 'readings'>
  readonly reason?: string
}

const NOTHING = { first: null, last: null, carParks: [], ignoredColumns: [] }

/**
 * Saves the readings of a history file in the store, all or none. A bad file is refused, and the report says why. Throws
 * if the store fails; then nothing is changed.
 */
export async function importHistory(options: HistoryImport): Promise<HistoryReport> {
  const { store, source, rejectLimit = REJECT_LIMIT, signal } = options
  const started = performance.now()
  const statistics = createHistoryStatistics()
  const report = (
    outcome: HistoryReport['outcome'],
    { found = NOTHING, added = 0, batch = null, reason }: Findings,
  ): HistoryReport => ({
    dataset: 'live-spaces',
    source,
    outcome,
    reason,
    ...statistics,
    ...reported(statistics),
    batch,
    added,
    changed: 0,
    removed: 0,
    durationMs: Math.round(performance.now() - started),
    ...found,
  })
  async function read() {
    const { chunks, taken, total } = await openBytes(source, options.input)
    const onProgress = (rows: number) => options.onProgress?.({ rows, bytesRead: taken(), bytesTotal: total })
    return readHistory(chunks, { ...options, statistics, onProgress })
  }
  try {
    const { readings, ...found } = await abortable(read(), signal)
    const reason = whyRefused(statistics, rejectLimit)
    if (reason !== undefined) return report('refused', { found, reason })
    if (options.dryRun)
      return report('dry run', { found, added: await abortable(countNew(store, readings), signal) })
    const saved = await store.saveHistory(readings, source)
    return report(saved.added > 0 ? 'added' : 'nothing new', { found, ...saved })
  } catch (error) {
    if (error instanceof Refusal) return report('refused', { reason: error.message })
    throw error
  }
}

function whyRefused(statistics: HistoryStatistics, limit: RejectLimit): string | undefined {
  if (statistics.read === 0) return 'the file has no readings; nothing was read from it'
  return (
    tooManyRejected(statistics, limit, 'reading') ??
    (statistics.accepted === 0 ? 'none of its readings can be used' : undefined)
  )
}

/** The period of stored readings to read at a time. */
const WINDOW_MS = 30 * DAY_MS

/** The number of readings, in the order of time, that the store does not have. */
async function countNew(
  store: Pick<ReadingStore, 'readings'>,
  readings: Iterable<HistoricReading>,
): Promise<number> {
  let known = new Set<string>()
  let until = Number.NEGATIVE_INFINITY
  let count = 0
  for (const reading of readings) {
    if (reading.at >= until) {
      until = reading.at + WINDOW_MS
      known = new Set((await store.readings({ from: reading.at, to: until })).map(keyOf))
    }
    if (!known.has(keyOf(reading))) count++
  }
  return count
}

const keyOf = ({ at, code }: HistoricReading) => `${at} ${code.toUpperCase()}`
