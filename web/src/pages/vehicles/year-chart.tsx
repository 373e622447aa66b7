import { vehicles as texts } from '../../texts/en/vehicles.ts'
import { text } from '../../texts/text.ts'
import { grouped, ticksOf } from '../../words/numbers.ts'
import type { YearChart as Chart, Series } from './chart-data.ts'

/** The chart with its title, its legend and its numbers as a table. It needs nothing around it but `year-chart.css`. */
export function YearChart({
  chart,
  Heading = 'h3',
}: {
  readonly chart: Chart
  readonly Heading?: 'h1' | 'h3'
}) {
  return (
    <figure class="year-chart">
      <figcaption>
        <Heading>{chart.title}</Heading>
        <ul class="legend">
          {chart.series.map((series, index) => (
            <li key={index}>
              <svg width="14" height="14" aria-hidden="true">
                <Swatch index={index} />
              </svg>{' '}
              {legendOf(series)}
            </li>
          ))}
        </ul>
      </figcaption>
      {chart.columns.length > 0 && (
        <>
          <Columns chart={chart} isLinked frame={{ width: '100%' }} />
          <Numbers chart={chart} />
        </>
      )}
    </figure>
  )
}

/** A question, how many vehicles it has, and how many of them are in no column. */
export const legendOf = ({ words, total, undated }: Series): string =>
  text(texts.legend, { question: words, count: total, undated })

/** How each series is drawn. Classes of the pages have other colours in the dark; a file has these. */
const DRAWN = [
  { class: 'first', fill: '#0b4f8a' },
  { class: 'second', fill: '#ffffff', stroke: '#a14b00', 'stroke-width': 1.5 },
]

/** The key of a series in the legend. */
export const Swatch = ({ index, y = 1 }: { readonly index: number; readonly y?: number }) => (
  <rect {...{ x: 1, y, width: 12, height: 12 }} {...DRAWN[index]} />
)

export const HEIGHT = 240
const [TOP, BASE] = [14, HEIGHT - 22]
/** Per cent of the width, for the numbers of the scale. */
const LEFT = 11
/** The most labels that fit beside each other on a phone. */
const MOST_LABELS = 8

interface ColumnsProps {
  readonly chart: Chart
  readonly isLinked?: boolean
  readonly frame: { readonly x?: number; readonly y?: number; readonly width: number | string }
}

/** The columns with a scale. Widths are per cent, so that texts keep their size in a narrow window. */
export function Columns({ chart: { title, by, columns, series }, isLinked = false, frame }: ColumnsProps) {
  const highest = Math.max(1, ...series.flatMap(({ counts }) => counts))
  const heightOf = (count: number) => (count / highest) * (BASE - TOP)
  const slot = (100 - LEFT) / columns.length
  const width = Math.min(slot * 0.8, 8) / series.length
  const every = [1, 2, 5, 10].find(step => columns.length / step <= MOST_LABELS) ?? 20
  const isJoined = by === 'year' && columns[0]?.short !== String(columns[0]?.at)
  return (
    <svg {...frame} class="columns" height={HEIGHT} overflow="visible" font-size="12">
      <title>{title}</title>
      {ticksOf(highest).map(tick => (
        <g key={tick} transform={`translate(0 ${(BASE - heightOf(tick)).toFixed(1)})`}>
          <line x1={`${LEFT}%`} x2="100%" stroke="#d5dbe1" />
          <text x={`${LEFT - 1}%`} y="4" text-anchor="end" fill="#4a545e">
            {grouped(tick)}
          </text>
        </g>
      ))}
      {columns.map(({ at, name, short, href, isChosen }, index) => {
        const left = LEFT + index * slot
        const middle = left + slot / 2
        const isStart = isJoined && index === 0
        // The name of the joined years is long.
        const isFree = !isJoined || index > columns.length / 4
        const isLabelled = isStart || (isFree && (at - (by === 'month' ? 1 : 0)) % every === 0)
        const isLink = isLinked && href !== undefined
        const Place = isLink ? 'a' : 'g'
        const numbers = series.map(({ counts }) => grouped(counts[index] ?? 0)).join(' / ')
        // The table has the same links in a size for fingers and the keyboard.
        const link = isLink ? { href, tabindex: -1, 'aria-current': isChosen || undefined } : {}
        return (
          <Place key={at} {...link}>
            <title>
              {text(texts.column, { column: name, counts: numbers }) + (isChosen ? texts.chosen : '')}
            </title>
            <rect class="place" x={`${left}%`} width={`${slot}%`} height={BASE} fill="transparent" />
            {series.map(({ counts }, of) => {
              const height = Math.max(heightOf(counts[index] ?? 0), counts[index] ? 1 : 0)
              const x = `${(middle + width * (of - series.length / 2)).toFixed(2)}%`
              const size = { width: `${width.toFixed(2)}%`, height: height.toFixed(1) }
              return (
                height > 0 && (
                  <rect key={of} {...DRAWN[of]} {...{ x, ...size }} y={(BASE - height).toFixed(1)} />
                )
              )
            })}
            {isLabelled && (
              <text
                {...(isStart ? { x: `${left}%` } : { x: `${middle.toFixed(2)}%`, 'text-anchor': 'middle' })}
                {...{ y: BASE + 16, fill: '#4a545e' }}
              >
                {short}
              </text>
            )}
          </Place>
        )
      })}
    </svg>
  )
}

/** The numbers of the chart, with a link for each column. */
function Numbers({ chart: { by, columns, series } }: { readonly chart: Chart }) {
  const undated = { name: texts.noDate, href: undefined, counts: series.map(each => each.undated) }
  const dated = columns.map(({ name, href }, index) => ({
    ...{ name, href, counts: series.map(({ counts }) => counts[index] ?? 0) },
  }))
  const rows = undated.counts.some(count => count > 0) ? [...dated, undated] : dated
  return (
    <details class="numbers scrolling">
      <summary>{texts.numbers}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{text(texts.columnOf, { by })}</th>
            {series.map(({ words }) => (
              <th scope="col">{words}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, href, counts }) => (
            <tr key={name}>
              <th scope="row">{href === undefined ? name : <a href={href}>{name}</a>}</th>
              {counts.map(count => (
                <td>{grouped(count)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
