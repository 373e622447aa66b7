import type { HistoricReading, Observation } from '../../src/store/store.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS
const NOW = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS

/** Emptier at night. */
const spacesAt = (time: number) =>
  400 + Math.round(150 * Math.cos((time / DAY_MS) * 2 * Math.PI)) + ((time / MINUTE_MS) % 7)
/** The free spaces now. */
export const SPACES = spacesAt(NOW)
const entry = (code: string, name: string, spaces: number) => ({
  code,
  name,
  spaces,
  open: true,
  status: 'good',
})
/** The car parks as they are counted now. */
export const OBSERVED_NOW: Observation = {
  timestamp: new Date(NOW).toISOString(),
  entries: [entry('HARBST', 'Harbour Street', SPACES), entry('QUAY', 'Quay', 40)],
}
/** Four weeks of readings until now, every five minutes. */
export function* history(): Generator<HistoricReading> {
  for (let time = NOW - 28 * DAY_MS; time < NOW; time += 5 * MINUTE_MS)
    yield {
      code: 'HARBST',
      name: 'Harbour Street',
      at: time,
      spaces: spacesAt(time),
      open: true,
      status: 'good',
    }
}
