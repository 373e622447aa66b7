import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { feedTime, simulatedCounts } from '../demo/feed/feed-payload.ts'
import { createHistoryStatistics, readHistory } from '../src/parking/history/import/history-file.ts'
import { openBytes } from '../src/sources/bytes.ts'
import type { HistoricReading } from '../src/store/store.ts'

/** Past readings with the name of their source. */
export interface HistoryInput {
  readonly name: string
  readonly readings: readonly HistoricReading[]
}

const STEP_MS = 300_000
/** Half a year, so that forecasts have twelve weeks of training and twelve weeks of measurements. */
const SYNTHETIC = { from: Date.parse('2025-05-01T00:00:00Z'), to: Date.parse('2025-10-31T00:00:00Z') }

/** Reads the history files in turn, or the past of the synthetic island if there are no files. Throws if a file is missing. */
export async function* historyInputs(
  files: readonly string[],
  timeZone: string,
): AsyncGenerator<HistoryInput> {
  const missing = files.filter(file => !existsSync(file))
  if (missing.length > 0) throw new Error(`No such history file: ${missing.join(', ')}`)
  if (files.length === 0) yield { name: 'the synthetic island', readings: [...syntheticPast()] }
  for (const file of files) yield { name: basename(file), readings: await readHistoryFile(file, timeZone) }
}

/** Reads a history file. If times have no year, the name of the file has the year. Throws `Refusal`. */
export async function readHistoryFile(file: string, timeZone: string): Promise<HistoricReading[]> {
  const year = /(?<!\d)20\d\d(?!\d)/.exec(basename(file))?.[0]
  const { chunks } = await openBytes(file)
  const statistics = createHistoryStatistics()
  const { readings } = await readHistory(chunks, {
    timeZone,
    statistics,
    ...(year && { year: Number(year) }),
  })
  return [...readings]
}

function* syntheticPast(): Generator<HistoricReading> {
  let last = 0
  for (let tick = SYNTHETIC.from; tick < SYNTHETIC.to; tick += STEP_MS) {
    const time = feedTime(new Date(tick))
    const at = time.getTime()
    // The time of the simulated feed sometimes stands still.
    if (at > last)
      for (const { code, name, spaces, open } of simulatedCounts(time))
        yield { at, code, name, spaces, open, status: 'good' }
    last = at
  }
}
