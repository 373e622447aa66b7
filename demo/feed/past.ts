import type { HistoricReading, Store } from '../../src/store/store.ts'
import { DAY_MS, MINUTE_MS } from '../../src/values/time-units.ts'
import { ISLAND_NAME } from '../island-facts.ts'
import { feedTime, type SimulatedCount, simulatedCounts } from './feed-payload.ts'
import type { FreeSpacesOptions } from './free-spaces.ts'

/** The training period of typical weeks and forecasts. */
const PAST_MS = 12 * 7 * DAY_MS
/** The last days have the real feed's interval. Earlier readings are summarised anyway. */
const CLOSE_MS = 14 * DAY_MS
const CLOSE_STEP_MS = 5 * MINUTE_MS
const FAR_STEP_MS = 15 * MINUTE_MS

/**
 * Stores the simulated feed's readings since the last stored one, up to twelve weeks, so that the island has a past.
 * Resolves to the number of new readings.
 */
export async function fillPast(store: Store, now: Date, options: FreeSpacesOptions = {}): Promise<number> {
  const last = Math.max(0, ...(await store.readings.keptHistory()).map(kept => kept.last))
  const from = Math.max(last + 1, now.getTime() - PAST_MS)
  const past = { [Symbol.iterator]: () => pastReadings(from, now.getTime(), options) }
  const { added } = await store.readings.saveHistory(past, ISLAND_NAME)
  const at = feedTime(now, options)
  if (added > 0)
    await store.readings.saveObservation({
      timestamp: at.toISOString(),
      entries: simulatedCounts(at, options).map(count => ({ ...entryOf(count), status: 'good' })),
    })
  return added
}

function* pastReadings(from: number, to: number, options: FreeSpacesOptions): Generator<HistoricReading> {
  let before = 0
  for (let tick = Math.ceil(from / CLOSE_STEP_MS) * CLOSE_STEP_MS; tick <= to; ) {
    const time = feedTime(new Date(tick), options)
    const at = time.getTime()
    // Sometimes the feed's own time stands still.
    if (at > before)
      for (const count of simulatedCounts(time, options)) yield { at, ...entryOf(count), status: 'good' }
    before = at
    tick += to - tick > CLOSE_MS ? FAR_STEP_MS : CLOSE_STEP_MS
  }
}

const entryOf = ({ code, name, spaces, open }: SimulatedCount) => ({ code, name, spaces, open })
