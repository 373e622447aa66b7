import { useEffect, useRef, useState } from 'preact/hooks'
import type { Forecast } from '../../parking/records.ts'
import { carpark as texts } from '../../texts/en/carpark.ts'
import { text } from '../../texts/text.ts'
import { weekdayOf } from '../../words/island-time.ts'
import type { DayCurve } from './day-curve.ts'

interface DayChartProps {
  readonly curve: DayCurve
  readonly forecast: Forecast | null
  readonly spaces: number | null
  readonly capacity: number | undefined
}

/** The chart of a day, which a script draws after the page is there. The table below has the same numbers. */
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
        <span class="key-counted">{text(texts.thisDay, { weekday })}</span>
        <span class="key-typical">{text(texts.typicalDayWithRange, { weekday })}</span>
        {forecast !== null && forecast.results.length > 0 && (
          <span class="key-expected">{texts.forecast}</span>
        )}
        <span class="key-text" hidden />
        <span class="key-line" hidden />
      </figcaption>
      <p class="readout facts" aria-hidden="true">
        {quarter === undefined ? texts.chartHint : readout(curve, quarter)}
      </p>
      <div class="plot" role="img" aria-label={text(texts.chart, { weekday })} />
    </figure>
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

/** Changes when the device changes between light and dark: the page must redraw a canvas. */
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
