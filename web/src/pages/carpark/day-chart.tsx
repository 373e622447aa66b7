import { useState } from 'preact/hooks'
import type { Forecast } from '../../parking/records.ts'
import { carpark as texts } from '../../texts/en/carpark.ts'
import { text } from '../../texts/text.ts'
import { weekdayOf } from '../../words/island-time.ts'
import { ticksOf } from '../../words/numbers.ts'
import { type DayCurve, minuteOf, QUARTERS, type Typical } from './day-curve.ts'

interface DayChartProps {
  readonly curve: DayCurve
  readonly forecast: Forecast | null
  /** The count now; null if it cannot be trusted. */
  readonly spaces: number | null
  /** All spaces of the car park, if known. */
  readonly capacity: number | undefined
}

const HEIGHT = 232
const DAY_MIN = 1440

/** The chart of a day, a typical day and the forecast. The table below has the same numbers. */
export function DayChart({ curve, forecast, spaces, capacity }: DayChartProps) {
  const [quarter, point] = useState<number>()
  const weekday = weekdayOf(curve.at)
  const counted = curve.counted.map((count, at) => pointOf(at * 15, count))
  const typical = curve.typical.map((usual, at) => usual && { ...usual, minute: at * 15 })
  const expected = expectedOf(minuteOf(curve.at), spaces, forecast)
  const highest = Math.max(...[...counted, ...typical, ...expected].map(each => each?.high ?? 0))
  const top = Math.max(capacity ?? 0, highest * 1.05, 1)
  return (
    <figure class="day-chart">
      <figcaption class="legend">
        <span class="key-counted">{text(texts.thisDay, { weekday })}</span>
        <span class="key-typical">{text(texts.typicalDayWithRange, { weekday })}</span>
        {forecast !== null && forecast.results.length > 0 && (
          <span class="key-expected">{texts.forecast}</span>
        )}
      </figcaption>
      <p class="readout facts" aria-hidden="true">
        {quarter === undefined ? texts.chartHint : readout(curve, quarter)}
      </p>
      <svg
        class="plot"
        height={HEIGHT}
        role="img"
        aria-label={text(texts.chart, { weekday })}
        onMouseMove={({ currentTarget, clientX }) => {
          const { left, width } = currentTarget.getBoundingClientRect()
          point(Math.max(0, Math.min(QUARTERS - 1, Math.floor(((clientX - left) / width) * QUARTERS))))
        }}
        onMouseLeave={() => point(undefined)}
      >
        {[0, 25, 50, 75, 100].map(share => (
          <g key={share}>
            <line x1={`${share}%`} x2={`${share}%`} y2={HEIGHT} />
            <text x={`${share}%`} y={HEIGHT + 20} text-anchor="middle">
              {timeOfQuarter((share / 100) * QUARTERS)}
            </text>
          </g>
        ))}
        {ticksOf(top).map(tick => (
          <g key={tick} transform={`translate(0 ${HEIGHT * (1 - tick / top)})`}>
            <line x2="100%" />
            <text x="-8" y="4" text-anchor="end">
              {tick}
            </text>
          </g>
        ))}
        <svg
          width="100%"
          height={HEIGHT}
          viewBox={`0 0 ${DAY_MIN} ${top}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <g transform={`matrix(1 0 0 -1 0 ${top})`}>
            {quarter !== undefined && <path class="pointed" d={`M${quarter * 15} 0V${top}`} />}
            <Course class="key-typical" points={typical} />
            <Course class="key-counted" points={counted} />
            <Course class="key-expected" points={expected} />
          </g>
        </svg>
      </svg>
    </figure>
  )
}

interface Point extends Typical {
  /** Minutes since midnight. */
  readonly minute: number
}

const pointOf = (minute: number, count: number | null): Point | null =>
  count === null ? null : { minute, low: count, middle: count, high: count }

/** The forecast starts from the count now, and ends with the day. */
function expectedOf(
  now: number,
  spaces: number | null,
  forecast: Forecast | null,
): readonly (Point | null)[] {
  if (spaces === null) return []
  const later = (forecast?.results ?? []).map(({ minutesAhead, low, expected, high }) => ({
    ...{ minute: now + minutesAhead, low, middle: expected, high },
  }))
  return [pointOf(now, spaces), ...later.filter(({ minute }) => minute <= DAY_MIN)]
}

interface CourseProps {
  readonly class: string
  readonly points: readonly (Point | null)[]
}

/** A line through the day amid its range, with a gap where a point is missing. */
function Course({ class: name, points }: CourseProps) {
  const line = points.map((to, at) => to && `${points[at - 1] ? 'L' : 'M'}${to.minute} ${to.middle}`)
  const range = points.map((to, at) => {
    const from = points[at - 1]
    return to && from && `M${from.minute} ${from.low}V${from.high}L${to.minute} ${to.high}V${to.low}Z`
  })
  return (
    <g class={name}>
      <path class="range" d={range.join('')} />
      <path class="line" d={line.join('')} />
    </g>
  )
}

/** The time at which a quarter of an hour begins. */
export const timeOfQuarter = (quarter: number): string =>
  `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`

function readout({ counted, typical, at }: DayCurve, quarter: number): string {
  const usual = typical[quarter]
  const here = counted[quarter]
  const parts = [here === null || here === undefined ? texts.noCount : text(texts.free, { spaces: here })]
  if (usual) {
    const { low, middle, high } = usual
    parts.push(text(texts.typical, { weekday: weekdayOf(at), spaces: middle, low, high }))
  }
  return text(texts.readout, { time: timeOfQuarter(quarter), parts: parts.join(', ') })
}
