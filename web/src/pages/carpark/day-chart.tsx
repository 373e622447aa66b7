import { useEffect, useRef, useState } from 'preact/hooks'
import type { Forecast } from '../../parking/records.ts'
import { weekdayOf } from '../../words/island-time.ts'
import type { DayCurve } from './day-curve.ts'

interface DayChartProps {
  readonly curve: DayCurve
  readonly forecast: Forecast | null
  readonly spaces: number | null
  readonly capacity: number | undefined
}

/** The chart of a day, drawn by a script that is loaded when the page is; the table beside it says the same. */
export function DayChart({ curve, forecast, spaces, capacity }: DayChartProps) {
  const around = useRef<HTMLElement>(null)
  const [quarter, point] = useState<number | undefined>(undefined)
  const scheme = useColourScheme()
  useEffect(() => {
    const into = around.current?.querySelector<HTMLElement>('.plot')
    if (!into) return
    let remove: (() => void) | undefined
    let isGone = false
    const colourOf = (part: string) =>
      getComputedStyle(around.current?.querySelector(`.key-${part}`) ?? into).color
    void import('./chart.ts').then(({ drawChart }) => {
      if (isGone) return
      into.replaceChildren()
      remove = drawChart({ into, curve, forecast, spaces, capacity, colourOf, onPoint: point })
    })
    return () => {
      isGone = true
      remove?.()
    }
  }, [curve, forecast, spaces, capacity, scheme])
  const weekday = weekdayOf(curve.at)
  return (
    <figure class="day-chart" ref={around}>
      <figcaption class="legend">
        <span class="key-counted">This {weekday}</span>
        <span class="key-typical">Typical {weekday}, with the range of eight in ten</span>
        {forecast !== null && forecast.results.length > 0 && <span class="key-expected">Expected</span>}
        <span class="key-text" hidden />
        <span class="key-line" hidden />
      </figcaption>
      <p class="readout facts" aria-hidden="true">
        {quarter === undefined ? 'Point at the chart, or tap it, to read it.' : readout(curve, quarter)}
      </p>
      <div
        class="plot"
        role="img"
        aria-label={`Free spaces through this ${weekday} and through a typical ${weekday}. The table below has the same numbers.`}
      />
    </figure>
  )
}

/** The time at which a quarter of an hour begins. */
export const timeOfQuarter = (quarter: number): string =>
  `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`

function readout({ counted, typical, at }: DayCurve, quarter: number): string {
  const usual = typical[quarter]
  const here = counted[quarter]
  const parts = [
    here === null || here === undefined ? 'no count' : `${here} free`,
    ...(usual ? [`typical ${weekdayOf(at)} ${usual.middle} (${usual.low} to ${usual.high})`] : []),
  ]
  return `${timeOfQuarter(quarter)}: ${parts.join(', ')}`
}

/** Changes when the device changes between light and dark: a canvas does not follow by itself. */
function useColourScheme(): boolean {
  const [isDark, setDark] = useState(false)
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const take = () => setDark(dark.matches)
    take()
    dark.addEventListener('change', take)
    return () => dark.removeEventListener('change', take)
  }, [])
  return isDark
}
