import { Readable } from 'node:stream'
import {
  type History,
  type HistoryOptions,
  readHistory,
} from '../../src/parking/history/import/history-file.ts'

/** Reads the text of a history file, by the clocks of Jersey. */
export function readText(text: string | Buffer, options: Partial<HistoryOptions> = {}): Promise<History> {
  return readHistory(Readable.from([Buffer.from(text)]), { timeZone: 'Europe/Jersey', ...options })
}

/** The readings as `time code spaces`, the time without its date and fractions if the date is given. */
export const listed = ({ readings }: History): string[] =>
  [...readings].map(
    ({ at, code, spaces }) => `${new Date(at).toISOString().replace('.000Z', 'Z')} ${code} ${spaces}`,
  )

/** The rejections as `line column reason`. */
export const rejected = ({ statistics }: History): string[] =>
  statistics.rejections.map(({ line, column, reason }) => `${line} ${column} ${reason}`)
