import type { LocalClock } from '../../src/parking/local-clock.ts'
import { createModel } from '../../src/parking/model.ts'
import type { Trend } from '../../src/parking/trend.ts'
import type { HistoricReading } from '../../src/store/store.ts'
import { listings } from './replay.ts'

/** The trends that were shown during a history, compared with later knowledge. */
export interface TrendFigures {
  /** Trends shown as filling or emptying. */
  moving: number
  /** Moving trends with the wrong sign: the good counts moved the other way. */
  wrong: number
  /** Moving trends that compared a reading now known to be bad. */
  fromBad: number
  /** Trends of any kind that compared a reading now known to be bad. */
  anyFromBad: number
  shown: number
}

/** The trends of two rules: the raw history, which pages once used, and the model. */
export interface TrendReplay {
  readonly raw: TrendFigures
  readonly model: TrendFigures
  readonly examples: readonly string[]
}

interface Counted {
  readonly at: number
  readonly spaces: number
  isBad: boolean
}

interface Shown {
  readonly code: string
  readonly at: number
  readonly raw: Trend | null
  readonly model: Trend | null
}

const MINUTE_MS = 60_000
const STEADY_SPACES = 3
const AROUND_MS = 7.5 * MINUTE_MS
const EXAMPLES = 20

/** Streams readings by time through the model, and compares its trends with the whole history. */
export function replayTrends(readings: readonly HistoricReading[], clock: LocalClock): TrendReplay {
  const codes = new Set(readings.map(({ code }) => code).filter(code => code !== 'TEST'))
  const records = new Map([...codes].map(code => [code.toUpperCase(), null]))
  let now = 0
  const model = createModel({ clock, records: () => records, now: () => now }, [])
  const past = new Map([...codes].map(code => [code, [] as Counted[]]))
  const shown: Shown[] = []
  for (const { at, entries } of listings(readings)) {
    now = at
    model.observe({ at, entries })
    for (const { code, spaces } of entries) {
      const counts = past.get(code)
      if (counts === undefined) continue
      counts.push({ at, spaces, isBad: false })
      const { quality, since } = model.quality(code)
      if (quality !== 'good') markBad(counts, since ?? at)
      const raw = quality === 'good' ? trendOfRaw(counts) : null
      shown.push({ code, at, raw, model: model.trend(code) })
    }
  }
  const examples: string[] = []
  const figures = (rule: 'raw' | 'model'): TrendFigures => {
    const found = { moving: 0, wrong: 0, fromBad: 0, anyFromBad: 0, shown: 0 }
    for (const { code, at, [rule]: trend } of shown) {
      if (trend === null) continue
      const counts = past.get(code) ?? []
      const isFromBad = [at, at - 30 * MINUTE_MS].some(time => nearest(counts, time, 10 * MINUTE_MS)?.isBad)
      found.shown++
      if (isFromBad) found.anyFromBad++
      if (trend === 'steady') continue
      found.moving++
      if (isFromBad) found.fromBad++
      const change = changeOf(counts, at)
      if (!(Math.abs(change) > STEADY_SPACES) || change < 0 === (trend === 'filling')) continue
      found.wrong++
      if (rule === 'model' && examples.length < EXAMPLES)
        examples.push(`${code} ${new Date(at).toISOString()} ${trend}, though ${change}`)
    }
    return found
  }
  return { raw: figures('raw'), model: figures('model'), examples }
}

function markBad(counts: readonly Counted[], since: number): void {
  for (let place = counts.length - 1; place >= 0; place--) {
    const count = counts[place] as Counted
    if (count.at < since) return
    count.isBad = true
  }
}

/** The trend from the count nearest to half an hour ago to the present count, whatever their quality. */
function trendOfRaw(counts: readonly Counted[]): Trend | null {
  const last = counts.at(-1) as Counted
  const before = nearest(counts, last.at - 30 * MINUTE_MS, 10 * MINUTE_MS)
  if (before === undefined) return null
  const change = last.spaces - before.spaces
  return Math.abs(change) <= STEADY_SPACES ? 'steady' : change < 0 ? 'filling' : 'emptying'
}

/** The change over half an hour, from the medians of good counts around both ends; NaN without good counts. */
function changeOf(counts: readonly Counted[], at: number): number {
  const level = (time: number) => {
    const good = near(counts, time, AROUND_MS).filter(({ isBad }) => !isBad)
    return good.map(({ spaces }) => spaces).sort((a, b) => a - b)[good.length >> 1] ?? Number.NaN
  }
  return level(at) - level(at - 30 * MINUTE_MS)
}

function nearest(counts: readonly Counted[], time: number, within: number): Counted | undefined {
  const off = ({ at }: Counted) => Math.abs(at - time)
  return near(counts, time, within).sort((one, other) => off(one) - off(other))[0]
}

/** The counts near a time: at most `within` before or after it. */
function near(counts: readonly Counted[], time: number, within: number): Counted[] {
  let low = 0
  for (let high = counts.length; low < high; ) {
    const middle = (low + high) >> 1
    if ((counts[middle]?.at ?? 0) < time - within) low = middle + 1
    else high = middle
  }
  let end = low
  while ((counts[end]?.at ?? Number.POSITIVE_INFINITY) <= time + within) end++
  return counts.slice(low, end)
}
