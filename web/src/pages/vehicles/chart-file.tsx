import { declarePage, type ViewProps } from '../../page.ts'
import { shell } from '../../texts/en/shell.ts'
import { loadYearChart, type YearChart } from './chart-data.ts'
import { Columns, HEIGHT, legendOf, Swatch } from './year-chart.tsx'

/** The chart of the page of vehicles as a file, with its title, legend and source in it. */
export const chartFile = declarePage<YearChart>({
  path: '/vehicles/chart.svg',
  maxAge: 300,
  type: 'image/svg+xml',
  isListed: false,
  load: ({ get, query }) => loadYearChart(get, query),
  title: ({ title }) => title,
  description: ({ title }) => title,
  View,
})

const [WIDTH, MARGIN, LINE] = [720, 16, 20]
const [TEXT, FAINT] = ['#14181d', '#4a545e']

/** The view has its own light colours, because no style sheet of a page applies to it and it may be printed. */
function View({ data: chart, site }: ViewProps<YearChart>) {
  const legend = chart.series.flatMap((series, index) =>
    linesOf(legendOf(series)).map((line, at) => ({ line, index: at === 0 ? index : undefined })),
  )
  const top = 44 + legend.length * LINE
  const marks = [...(site.synthetic ? [shell.syntheticLabel] : []), chart.source, site.baseUrl]
  const source = linesOf(marks.join(' · '))
  const bottom = top + HEIGHT + LINE
  const height = bottom + source.length * LINE
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      {...{ width: WIDTH, height, viewBox: `0 0 ${WIDTH} ${height}` }}
      role="img"
      font-family="sans-serif"
      font-size="14"
    >
      <title>{chart.title}</title>
      <rect width={WIDTH} height={height} fill="#ffffff" />
      <text x={MARGIN} y="30" font-size="18" font-weight="bold" fill={TEXT}>
        {chart.title}
      </text>
      {legend.map(({ line, index }, at) => (
        <g key={at} transform={`translate(${MARGIN} ${54 + at * LINE})`}>
          {index !== undefined && <Swatch index={index} y={-11} />}
          <text x="20" fill={TEXT}>
            {line}
          </text>
        </g>
      ))}
      <Columns chart={chart} frame={{ x: MARGIN, y: top, width: WIDTH - 2 * MARGIN }} />
      {source.map((line, at) => (
        <text key={at} x={MARGIN} y={bottom + at * LINE} font-size="12" fill={FAINT}>
          {line}
        </text>
      ))}
    </svg>
  )
}

/** Breaks a text into lines that fit. Readers wrote parts of it, so what XML 1.0 (2.2, 2.4) does not allow is replaced. */
function linesOf(words: string): string[] {
  const allowed = words.replace(
    /(?<=\]\])>|[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu,
    '\ufffd',
  )
  return allowed.match(/\S.{0,79}(?=\s|$)|\S.{0,79}/gu) ?? []
}
