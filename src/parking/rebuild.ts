import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HistoricReading, ReadingStore } from '../store/store.ts'
import { HOUR_MS, MINUTE_MS } from '../values/time-units.ts'
import { createModel, type ModelOptions, type ParkingModel } from './model.ts'
import { ASSESSED_MS } from './untrusted.ts'

/** The interval of readings per query of the store, short enough that requests hardly wait for it. */
const STEP_MS = 6 * HOUR_MS
/** The feed's clock may be ahead of this one by two minutes. */
const AHEAD_MS = 3 * MINUTE_MS

/** Builds a model from the readings in the store, yielding to requests. Rejects once aborted. */
export async function rebuildModel(
  store: Pick<ReadingStore, 'keptHistory' | 'readings'>,
  options: ModelOptions,
  signal: AbortSignal,
): Promise<ParkingModel> {
  const kept = await store.keptHistory()
  const model = createModel(options, kept)
  // The last reading counts however old it is: it is the present state of the feed.
  const to = Math.min(options.now() + AHEAD_MS, Math.max(...kept.map(({ last }) => last + 1)))
  for (let from = to - ASSESSED_MS; from < to; from += STEP_MS) {
    signal.throwIfAborted()
    observeAll(model, await store.readings({ from, to: Math.min(from + STEP_MS, to) }))
    await nextTurn()
  }
  return model
}

/** Readings of one time are one listing. */
function observeAll(model: ParkingModel, readings: readonly HistoricReading[]): void {
  for (let start = 0, end = 0; start < readings.length; start = end) {
    const at = readings[start]?.at ?? 0
    while (end < readings.length && readings[end]?.at === at) end++
    model.observe({ at, entries: readings.slice(start, end) })
  }
}
