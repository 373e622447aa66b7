import { vehicles as texts } from '../../texts/en/vehicles.ts'
import { text } from '../../texts/text.ts'
import { grouped } from '../../words/numbers.ts'
import type { Bar, Chart, ChartField, VehicleCharts } from './load-charts.ts'
import { askedFor, changed, linkTo, type Question } from './question.ts'
import { fuelInWords } from './words.ts'

/** The matching vehicles counted by some fields. Each bar links to the vehicles that it counts. */
export function Charts({ charts, asked }: { readonly charts: VehicleCharts; readonly asked: Question }) {
  return (
    <aside class="charts no-print" id="charts" aria-labelledby="charts-title">
      <h2 id="charts-title">{texts.narrow}</h2>
      {charts.map(chart => (
        <BarChart key={chart.field} chart={chart} asked={asked} />
      ))}
    </aside>
  )
}

interface BarChartProps {
  readonly chart: Chart
  readonly asked: Question
}

function BarChart({ chart: { field, bars, isPart, rest }, asked }: BarChartProps) {
  if (bars.length === 0) return null
  const isJerseyYear = field === 'year' && askedFor(asked, 'dateType') === 'regInJersey'
  const highest = Math.max(...bars.map(({ count }) => count))
  const name = isJerseyYear ? texts.yearInJersey : texts.charts[field]
  return (
    <section>
      <h3>{name}</h3>
      <ul class="bars">
        {bars.map(bar => (
          <li key={bar.label}>
            <BarLink field={field} bar={bar} asked={asked} isPart={isPart} share={bar.count / highest} />
          </li>
        ))}
      </ul>
      {rest.groups > 0 && (
        <p class="facts">{text(texts.others[field], { groups: rest.groups, count: grouped(rest.count) })}</p>
      )}
    </section>
  )
}

interface BarLinkProps {
  readonly field: ChartField
  readonly bar: Bar
  readonly asked: Question
  readonly isPart: boolean
  /** The length as a share of the longest bar, from 0 to 1. */
  readonly share: number
}

function BarLink({ field, bar: { label, count, changes }, asked, isPart, share }: BarLinkProps) {
  const shown = (
    <>
      <span class="bar-label">{field === 'fuelType' ? fuelInWords(label) : label || texts.notStated}</span>{' '}
      <span class="bar-count">{grouped(count)}</span>
      <svg class="bar-drawn" aria-hidden="true" focusable="false">
        <rect width={`${Math.max(100 * share, 0.5).toFixed(1)}%`} height="100%" />
      </svg>
    </>
  )
  if (changes === undefined) return <span class="bar-link">{shown}</span>
  const { match: _, ...values } = changes
  const isChosen =
    !isPart && Object.entries(values).every(([name, value]) => equal(askedFor(asked, name), value))
  const target = changed(asked, isChosen ? nothingOf(values) : changes)
  return (
    <a class="bar-link" href={linkTo(target)} aria-current={isChosen ? 'true' : undefined}>
      {shown}
      {isChosen && <span class="visually-hidden">{texts.chosen}</span>}
    </a>
  )
}

/** Compares texts as the API does, except for accents. */
const equal = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const nothingOf = (changes: Readonly<Record<string, string>>): Record<string, null> =>
  Object.fromEntries(Object.keys(changes).map(name => [name, null]))
