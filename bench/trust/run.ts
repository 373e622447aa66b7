import { parseArgs } from 'node:util'
import { localClock } from '../../src/parking/local-clock.ts'
import { historyInputs } from '../history-input.ts'
import { replay } from './replay.ts'
import { report, trendReport } from './report.ts'
import { replayTrends } from './trends.ts'

/*
 * `npm run bench:trust -- [--history FILE]...`: streams history files, or by default the synthetic island's past, through the
 * quality check of live counts, and reports the results.
 */

const TIME_ZONE = 'Europe/Jersey'

try {
  const { values } = parseArgs({ options: { history: { type: 'string', multiple: true, default: [] } } })
  const clock = localClock(TIME_ZONE)
  for await (const { name, readings } of historyInputs(values.history, TIME_ZONE)) {
    const result = replay(readings, clock)
    console.log(`# ${name}\n`)
    console.log(`${readings.length} readings judged in ${Math.round(result.milliseconds)} ms.\n`)
    console.log(`${report(result, clock)}\n`)
    console.log(`${trendReport(replayTrends(readings, clock))}\n`)
  }
} catch (error) {
  console.error(
    `${error instanceof Error ? error.message : error}\nusage: npm run bench:trust -- [--history FILE]...`,
  )
  process.exitCode = 2
}
