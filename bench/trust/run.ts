import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readHistoryFile } from '../../src/parking/history/import/history-file.ts'
import { localClock } from '../../src/parking/local-clock.ts'
import { Refusal } from '../../src/sources/refusal.ts'
import type { HistoricReading } from '../../src/store/store.ts'
import { replay } from './replay.ts'
import { report } from './report.ts'

/*
 * Streams history files through the judges of live counts and tells what they found: `npm run bench:trust -- [files]`.
 * Files without a year in their times have it in their name.
 */

const TIME_ZONE = 'Europe/Jersey'
const FOLDER = new URL('../../../shared/data/parking-history/', import.meta.url)
const DEFAULT_FILES = ['scrape-2024-02.csv', 'parking-spaces-2024-09_2025-10.csv']

const given = process.argv.slice(2)
const files = given.length > 0 ? given : DEFAULT_FILES.map(name => fileURLToPath(new URL(name, FOLDER)))
const absent = files.filter(file => !existsSync(file))
if (absent.length > 0) {
  console.error(`no such file: ${absent.join(', ')}\nusage: npm run bench:trust -- [history files]`)
  process.exit(2)
}

const clock = localClock(TIME_ZONE)
for (const file of files) {
  const readings = await read(file)
  const result = replay(readings, clock)
  console.log(`# ${basename(file)}\n`)
  console.log(`${readings.length} readings judged in ${Math.round(result.milliseconds)} ms.\n`)
  console.log(`${report(result, clock)}\n`)
}

async function read(file: string): Promise<HistoricReading[]> {
  const year = /(?<!\d)20\d\d(?!\d)/.exec(basename(file))?.[0]
  try {
    return await readHistoryFile(file, { timeZone: TIME_ZONE })
  } catch (error) {
    if (!(error instanceof Refusal) || year === undefined) throw error
    return await readHistoryFile(file, { timeZone: TIME_ZONE, year: Number(year) })
  }
}
