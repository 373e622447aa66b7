import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HistoricReading } from '../../store/store.ts'
import type { CarparkInsight } from './insight.ts'
import type { ReadingHistory } from './reading-history.ts'

/** Read from the store in one go: so little that requests hardly wait for it. */
const STEP_MS = 6 * 3_600_000

/** Tells an insight the readings of a period, oldest first, letting requests in between. Rejects once aborted. */
export async function replay(
  history: Pick<ReadingHistory, 'readings'>,
  period: { from: number; to: number },
  insight: Pick<CarparkInsight, 'observe'>,
  signal: AbortSignal,
): Promise<void> {
  for (let from = period.from; from < period.to; from += STEP_MS) {
    signal.throwIfAborted()
    const readings = await history.readings({ from, to: Math.min(from + STEP_MS, period.to) })
    for (let start = 0; start < readings.length; ) {
      const end = endOfMoment(readings, start)
      const entries = readings.slice(start, end)
      insight.observe({ at: entries[0]?.at ?? 0, entries })
      start = end
    }
    await nextTurn()
  }
}

/** Readings of one time are one observation. */
function endOfMoment(readings: readonly HistoricReading[], start: number): number {
  let end = start + 1
  while (readings[end]?.at === readings[start]?.at && end < readings.length) end++
  return end
}
