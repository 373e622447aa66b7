import type { LocalClock } from '../../src/parking/local-clock.ts'
import { createDataQuality } from '../../src/parking/quality/data-quality.ts'
import type { HistoricReading } from '../../src/store/store.ts'

/** A reading with its assessments. */
export interface JudgedReading {
  readonly at: number
  readonly spaces: number
  /** Whether the reading was trusted when it came. */
  readonly good: boolean
  /** If this reading shows that readings are bad, the time of the first bad one. This reading is bad, too. */
  readonly badSince: number | undefined
  /** Whether the reading is trusted in the end. */
  trusted: boolean
}

/** The readings of each car park, by time. */
export type CarParkReadings = ReadonlyMap<string, JudgedReading[]>

/** Takes all readings as good, even frozen stretches. */
export function trustAll(readings: readonly HistoricReading[]): CarParkReadings {
  const all = new Map<string, JudgedReading[]>()
  for (const { code, at, spaces } of readings)
    listOf(all, code).push({ at, spaces, good: true, badSince: undefined, trusted: true })
  return all
}

/** Assesses readings one after another, as the service does. */
export function judgeAll(readings: readonly HistoricReading[], clock: LocalClock): CarParkReadings {
  const trust = createDataQuality({ clock, records: () => undefined })
  const all = new Map<string, JudgedReading[]>()
  for (const listing of listings(readings)) {
    const verdicts = trust.observe(listing)
    for (const [i, { code, spaces }] of listing.entries.entries()) {
      const list = listOf(all, code)
      const { quality, since } = verdicts[i] ?? {}
      const good = quality === 'good'
      const last = list.at(-1)
      const badSince = good || !last?.good || since == null || since > last.at ? undefined : since
      if (badSince !== undefined) withdraw(list, badSince)
      list.push({ at: listing.at, spaces, good, badSince, trusted: good })
    }
  }
  return all
}

function* listings(readings: readonly HistoricReading[]) {
  let entries: HistoricReading[] = []
  for (const reading of readings) {
    const at = entries[0]?.at
    if (at !== undefined && at !== reading.at) {
      yield { at, entries }
      entries = []
    }
    entries.push(reading)
  }
  const at = entries[0]?.at
  if (at !== undefined) yield { at, entries }
}

function withdraw(list: JudgedReading[], since: number): void {
  for (let i = list.length - 1; i >= 0; i--) {
    const reading = list[i]
    if (reading === undefined || reading.at < since) return
    reading.trusted = false
  }
}

function listOf(all: Map<string, JudgedReading[]>, code: string): JudgedReading[] {
  const known = all.get(code)
  if (known !== undefined) return known
  const list: JudgedReading[] = []
  all.set(code, list)
  return list
}
