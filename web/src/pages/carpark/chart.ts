import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Forecast } from '../../parking/records.ts'
import { type DayCurve, minuteOf } from './day-curve.ts'

interface ChartOptions {
  /** The element that holds the chart. */
  readonly into: HTMLElement
  readonly curve: DayCurve
  readonly forecast: Forecast | null
  /** The count now; null if it cannot be trusted. */
  readonly spaces: number | null
  /** All spaces of the car park, if known. */
  readonly capacity: number | undefined
  /** Gives the present colour of a part from the styles. */
  readonly colourOf: (part: 'text' | 'line' | 'counted' | 'typical' | 'expected') => string
  /** Called with the quarter under the pointer, or undefined. */
  readonly onPoint: (quarter: number | undefined) => void
}

const HEIGHT = 260
const DAY_MIN = 1440

/** Draws a day, a typical day and the forecast. Returns a function that removes the chart. */
export function drawChart(options: ChartOptions): () => void {
  const { into, curve, capacity, colourOf, onPoint } = options
  const font = '13px system-ui, sans-serif'
  const axis = {
    stroke: colourOf('text'),
    font,
    ticks: { show: false },
    grid: { stroke: colourOf('line'), width: 1 },
  }
  const faint = (colour: string) => colour.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.16)')
  const plot = new uPlot(
    {
      width: into.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
      scales: {
        x: { time: false, range: [0, DAY_MIN] },
        y: { range: (_, __, max) => [0, Math.max(capacity ?? 0, max * 1.05, 1)] },
      },
      axes: [
        {
          ...axis,
          size: 28,
          splits: () => [0, 360, 720, 1080, 1440],
          values: (_, minutes) => minutes.map(minute => `${String(minute / 60).padStart(2, '0')}:00`),
        },
        { ...axis, size: 48 },
      ],
      series: [
        {},
        hidden(),
        { stroke: colourOf('typical'), width: 2, dash: [2, 4], points: { show: false } },
        hidden(),
        { stroke: colourOf('counted'), width: 3, points: { show: false } },
        hidden(),
        { stroke: colourOf('expected'), width: 2, dash: [8, 4], points: { show: false } },
        hidden(),
      ],
      bands: [
        { series: [3, 1], fill: faint(colourOf('typical')) },
        { series: [7, 5], fill: faint(colourOf('expected')) },
      ],
      hooks: {
        setCursor: [
          ({ cursor: { idx }, data: [minutes] }) => {
            const minute = typeof idx === 'number' ? minutes[idx] : undefined
            onPoint(minute === undefined ? undefined : Math.min(95, Math.floor(minute / 15)))
          },
        ],
      },
    },
    uPlot.join([typicalTable(curve), countedTable(curve), expectedTable(options)]),
    into,
  )
  const resized = new ResizeObserver(() => plot.setSize({ width: into.clientWidth, height: HEIGHT }))
  resized.observe(into)
  return () => {
    resized.disconnect()
    plot.destroy()
  }
}

/** The edge of a band. */
const hidden = (): uPlot.Series => ({ stroke: 'transparent', width: 0, points: { show: false } })

const minutesOf = (quarters: readonly unknown[]) => quarters.map((_, quarter) => quarter * 15)

const typicalTable = ({ typical }: DayCurve): uPlot.AlignedData => [
  minutesOf(typical),
  typical.map(quarter => quarter?.low ?? null),
  typical.map(quarter => quarter?.middle ?? null),
  typical.map(quarter => quarter?.high ?? null),
]

const countedTable = ({ counted }: DayCurve): uPlot.AlignedData => [minutesOf(counted), [...counted]]

/** The forecast starts from the count now, and ends with the day. */
function expectedTable({ forecast, spaces, curve }: ChartOptions): uPlot.AlignedData {
  const now = minuteOf(curve.at)
  const entries = spaces === null ? [] : (forecast?.results ?? [])
  const later = entries.filter(({ minutesAhead }) => now + minutesAhead <= DAY_MIN)
  const start =
    spaces === null || later.length === 0
      ? []
      : [{ minutesAhead: 0, low: spaces, expected: spaces, high: spaces }]
  const points = [...start, ...later]
  return [
    points.map(({ minutesAhead }) => now + minutesAhead),
    points.map(({ low }) => low),
    points.map(({ expected }) => expected),
    points.map(({ high }) => high),
  ]
}
