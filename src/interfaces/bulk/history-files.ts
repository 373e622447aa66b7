import { Temporal } from 'temporal-polyfill'
import Type from 'typebox'
import { FORMATS, formatsFor } from '../../formats/formats.ts'
import { startOfDay } from '../../parking/history/buckets.ts'
import { HistoryReading } from '../../parking/history/history-schema.ts'
import type { ParkingService } from '../../parking/service.ts'
import { batchesOf } from '../../query/query.ts'
import { DAY_MS } from '../../values/time-units.ts'
import type { BulkFiles, LazyFile } from './bulk-files.ts'

/** A month of the live feed's counts, as a file in one format. */
export interface HistoryFile {
  /** As in 2026-10, by the island's clocks. */
  readonly month: string
  readonly file: LazyFile
}

/** How far a count can be trusted may be found later, so it is not in a file that stays as it is. */
const Reading = Type.Omit(HistoryReading, ['quality'])

const HISTORY_FORMATS = formatsFor(FORMATS, Reading).filter(({ name }) => /^(csv|parquet)$/.test(name))

/**
 * The files of all months that are over, oldest first. The first month has what is left of it. A file is another one once past
 * readings were imported or removed.
 */
export async function historyFiles(
  { history, clock: { timeZone }, now }: Pick<ParkingService, 'history' | 'clock' | 'now'>,
  { file }: Pick<BulkFiles, 'file'>,
): Promise<HistoryFile[]> {
  const first = Math.min(...(await history.keptHistory()).map(kept => kept.first))
  const revision = await history.historyRevision()
  const startOf = (month: Temporal.PlainYearMonth) => startOfDay(month.toPlainDate({ day: 1 }), timeZone)
  const files: HistoryFile[] = []
  if (first === Number.POSITIVE_INFINITY) return files
  const firstDay = Temporal.Instant.fromEpochMilliseconds(first).toZonedDateTimeISO(timeZone).toPlainDate()
  for (let month = firstDay.toPlainYearMonth(); ; month = month.add({ months: 1 })) {
    const [from, to] = [Math.max(first, startOf(month)), startOf(month.add({ months: 1 }))]
    // The last readings may be stored late.
    if (to > now() - DAY_MS) return files
    async function* batches() {
      for (let at = from; at < to; at += DAY_MS) {
        const readings = await history.readings({ from: at, to: Math.min(to, at + DAY_MS) })
        yield* batchesOf(readings.map(reading => ({ ...reading, at: new Date(reading.at).toISOString() })))
      }
    }
    for (const format of HISTORY_FORMATS) {
      const replaces = `history-${month}-`
      const identity = `${replaces}${revision}-${from}`
      const write = () => format.write(batches(), Reading)
      const source = { dataset: 'carparks', format, identity, replaces, write }
      files.push({ month: String(month), file: file(`${identity}.${format.name}`, source) })
    }
  }
}
