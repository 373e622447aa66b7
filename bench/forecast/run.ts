import { type LocalClock, localClock } from '../../src/parking/local-clock.ts'
import type { HistoricReading } from '../../src/store/store.ts'
import { historyInputs } from '../history-input.ts'
import { backTest } from './back-test.ts'
import {
  describeChances,
  describeChancesOfEach,
  describeReliability,
  describeTerms,
} from './chance-report.ts'
import { type Flags, readFlags, USAGE } from './flags.ts'
import { type CarParkReadings, judgeAll, trustAll } from './judged-readings.ts'
import { describeAll, describeEach, describeWithheld } from './report.ts'

/* `npm run bench:forecast`: see README.md beside this file. */

const DAY_MS = 86_400_000

try {
  const flags = readFlags(process.argv.slice(2))
  if (flags === undefined) process.stdout.write(USAGE)
  else await bench(flags)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}

async function bench(flags: Flags): Promise<void> {
  const clock = localClock(flags.timeZone)
  const readings = await readAll(flags)
  print(
    `Forecasts each ${flags.every} minutes, Monday to Saturday 7-19 h${days(flags)}; errors in free spaces.`,
  )
  print('## All readings taken as they are, frozen stretches as well')
  report(trustAll(readings), flags, clock)
  print('## Only what the service trusts')
  report(judgeAll(readings, clock), flags, clock)
}

async function readAll({ files, timeZone }: Flags): Promise<HistoricReading[]> {
  // Files may overlap, so each reading is kept once.
  const all = new Map<string, HistoricReading>()
  for await (const { readings } of historyInputs(files, timeZone))
    for (const reading of readings) all.set(`${reading.at} ${reading.code}`, reading)
  return [...all.values()].sort((a, b) => a.at - b.at)
}

function report(carParks: CarParkReadings, { from, to, every }: Flags, clock: LocalClock): void {
  const period = {
    clock,
    firstDay: from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from) / DAY_MS,
    lastDay: to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to) / DAY_MS,
    everyMs: every * 60_000,
  }
  const scores = new Map([...carParks].map(([code, readings]) => [code, backTest(readings, period)]))
  print(describeAll(scores))
  print(describeWithheld(scores))
  print('As now / plain profile / ours (outcomes within the interval):')
  print(describeEach(scores))
  print('Brier scores of the chance of ten spaces:')
  print(describeChances(scores))
  print('An hour ahead:')
  print(describeChancesOfEach(scores))
  print('An hour ahead, by the chance that was given: how often there were ten spaces (moments).')
  print(describeReliability(scores))
  print(describeTerms(scores))
}

function days({ from, to }: Flags): string {
  return `${from ? ` from ${from}` : ''}${to ? ` to ${to}` : ''}`
}

function print(text: string): void {
  process.stdout.write(`${text}\n\n`)
}
