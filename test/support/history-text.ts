import { Readable } from 'node:stream'
import {
  createHistoryStatistics,
  type History,
  type HistoryOptions,
  type HistoryStatistics,
  readHistory,
} from '../../src/parking/history/import/history-file.ts'

/** What a history file has, with the statistics of its rows. */
export interface ReadHistory extends History {
  readonly statistics: HistoryStatistics
}

/** Reads the text of a history file, by the clocks of Jersey. */
export const readText = (
  text: string | Buffer,
  options: Partial<HistoryOptions> = {},
): Promise<ReadHistory> => readBytes(Readable.from([Buffer.from(text)]), options)

/** Reads the bytes of a history file, by the clocks of Jersey. */
export async function readBytes(
  bytes: AsyncIterable<Buffer>,
  options: Partial<HistoryOptions> = {},
): Promise<ReadHistory> {
  const statistics = createHistoryStatistics()
  const history = await readHistory(bytes, { timeZone: 'Europe/Jersey', statistics, ...options })
  return { ...history, statistics }
}

/** The readings as `time code spaces`, the time without its date and fractions if the date is given. */
export const listed = ({ readings }: History): string[] =>
  [...readings].map(
    ({ at, code, spaces }) => `${new Date(at).toISOString().replace('.000Z', 'Z')} ${code} ${spaces}`,
  )

/** The rejections as `line column reason`. */
export const rejected = ({ statistics }: ReadHistory): string[] =>
  statistics.rejections.first.map(({ line, column, reason }) => `${line} ${column} ${reason}`)
