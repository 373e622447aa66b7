import type { LocalClock } from '../local-clock.ts'
import { type DayFrame, dayFrame } from './day-frame.ts'
import { type BankHoliday, kindsOfDays } from './day-kind.ts'
import type { Forecast, ForecastEntry, Unsupported } from './forecast.ts'
import { ABSENT, countGrid } from './ring-buffer.ts'
import { HORIZONS, OLDEST_PRESENT_MS } from './rules.ts'
import { changeOnSimilarDays, type Present } from './similar-days.ts'
import { type TypicalWeek, typicalWeek } from './typical-week.ts'
import { BLOCK_SLOTS, type Margins, madeForecasts, NOTED_EVERY, type Note } from './verification.ts'
import { USUAL_STEPS, wallSlots } from './wall-slots.ts'

export interface ForecasterOptions {
  /** The clock that the car park's visitors live by. */
  readonly clock: LocalClock
  readonly bankHoliday: BankHoliday
}

/** A good reading of the car park. */
export interface GoodReading {
  /** Milliseconds since 1970 UTC. */
  readonly at: number
  /** Free spaces, a whole number from 0. */
  readonly spaces: number
}

/** Learns one car park's ways from its good readings, and forecasts from them. */
export interface Forecaster {
  /** Takes a good reading; readings come in the order of time, and what comes late is passed over. */
  observe(reading: GoodReading): void
  /** Readings from one time to another (both included) turn out to be bad: they count for nothing any more. */
  distrust(from: number, to: number): void
  /** What the next two hours will bring, from the last good reading, or why that cannot be told. */
  forecast(now: number): Forecast | Unsupported
  /** The typical week of the last twelve weeks, or why there is none. */
  typical(): TypicalWeek | Unsupported
}

/** Makes a forecaster that knows nothing yet. */
export function createForecaster({ clock, bankHoliday }: ForecasterOptions): Forecaster {
  const grid = countGrid()
  const made = madeForecasts(grid)
  let latest: GoodReading | undefined
  let latestIsBad = false
  let lastSlot = Number.NEGATIVE_INFINITY
  let frame: { day: number; of: DayFrame } | undefined
  let margins: { block: number; of: (Margins | undefined)[] } | undefined

  const kindOf = kindsOfDays(bankHoliday)
  const { slotAt, stepsAt } = wallSlots(clock)

  const presentOf = ({ at, spaces }: GoodReading): Present => ({
    slot: slotAt(at),
    spaces,
    ...stepsAt(at),
  })

  /** By horizon; low and high are absent until enough outcomes are known. */
  function estimate(present: Present): Note[] | undefined {
    const today = currentFrame()
    const changes = changeOnSimilarDays(grid, today, present)
    if (changes === undefined) return undefined
    const most = Math.max(today.largest, present.spaces)
    const within = (spaces: number) => Math.min(Math.max(spaces, 0), most)
    const strays = currentMargins(present.slot)
    return changes.map((change, horizon) => {
      const expected = within(Math.round(present.spaces + change))
      const stray = strays[horizon]
      if (stray === undefined) return { expected, low: ABSENT, high: ABSENT }
      const low = within(expected + Math.min(Math.floor(stray[0]), 0))
      return { expected, low, high: within(expected + Math.max(Math.ceil(stray[1]), 0)) }
    })
  }

  /** The frame changes with the day, the margins with the block of hours: both cost more than a reading may. */
  function currentFrame(): DayFrame {
    const day = grid.day()
    if (frame?.day !== day) frame = { day, of: dayFrame(grid, kindOf) }
    return frame.of
  }

  function currentMargins(slot: number): (Margins | undefined)[] {
    const block = Math.floor(slot / BLOCK_SLOTS)
    if (margins?.block !== block)
      margins = { block, of: HORIZONS.map((_, horizon) => made.margins(slot, horizon)) }
    return margins.of
  }

  return {
    observe(reading) {
      if (latest !== undefined && reading.at <= latest.at) return
      latest = reading
      latestIsBad = false
      const slot = slotAt(reading.at)
      // In the repeated hour of autumn the first pass stands.
      if (slot < lastSlot) return
      const isNew = slot > lastSlot
      lastSlot = slot
      grid.write(slot, reading.spaces)
      if (!isNew || slot % NOTED_EVERY !== 0) return
      const present = presentOf(reading)
      const notes = estimate(present)
      if (notes === undefined) return
      // A forecast over a change of clock is not measured: its outcome lies elsewhere on the wall.
      const lasts = (horizon: number) => present.ahead[horizon] === USUAL_STEPS.ahead[horizon]
      made.note(
        slot,
        notes.map((note, horizon) => (lasts(horizon) ? note : undefined)),
      )
    },
    distrust(from, to) {
      const [first, last] = [slotAt(from), slotAt(to)]
      // By the wall the repeated hour can end before it began.
      const range = [Math.min(first, last), Math.max(first, last)] as const
      grid.clear(...range)
      made.clear(...range)
      frame = undefined
      margins = undefined
      if (latest !== undefined && latest.at >= from && latest.at <= to) latestIsBad = true
    },
    forecast(now) {
      if (latest === undefined) return noRecentCount
      if (latestIsBad) return notTrusted
      if (now - latest.at > OLDEST_PRESENT_MS) return noRecentCount
      const present = presentOf(latest)
      const notes = estimate(present)
      if (notes === undefined) return tooLittlePast
      if (notes.some(({ low }) => low === ABSENT)) return notYetMeasured
      const { at } = latest
      return { from: at, entries: notes.map((note, horizon) => entry(at, present.slot, note, horizon)) }
    },
    typical: () => typicalWeek(grid, kindOf),
  }

  function entry(from: number, slot: number, note: Note, horizon: number): ForecastEntry {
    const minutesAhead = HORIZONS[horizon] as ForecastEntry['minutesAhead']
    const at = from + minutesAhead * MINUTE_MS
    return { minutesAhead, at, ...note, error: made.measured(slot, horizon) }
  }
}

const MINUTE_MS = 60_000
const noRecentCount: Unsupported = {
  reason: 'NO_RECENT_COUNT',
  detail: `There is no good count of the last ${OLDEST_PRESENT_MS / MINUTE_MS} minutes to start from.`,
}
const notTrusted: Unsupported = {
  reason: 'COUNT_NOT_TRUSTED',
  detail: 'The last count is not trusted, so that there is nothing to start from.',
}
const tooLittlePast: Unsupported = {
  reason: 'TOO_LITTLE_PAST',
  detail: 'The last twelve weeks hold too few days with counts at this time of day.',
}
const notYetMeasured: Unsupported = {
  reason: 'NOT_YET_MEASURED',
  detail: 'Too few forecasts at this time of day have met their outcome yet to tell how far they stray.',
}
