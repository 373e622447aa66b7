import { to } from '../../address.ts'
import { declarePage, type ViewProps } from '../../page.ts'
import { FailedRequest, type Failure, isFailure } from '../../parts/failed-request.tsx'
import { vehicles as texts } from '../../texts/en/vehicles.ts'
import { text } from '../../texts/text.ts'
import { dateOf, monthOf } from '../../words/island-time.ts'
import { grouped } from '../../words/numbers.ts'
import { fuelInWords } from '../vehicles/words.ts'
import { KEYS, type Key, loadOverTime, numbersOf, type OverTime, type Series } from './load.ts'

const PATH = '/vehicles/over-time'

/** How many vehicles the register had at the end of each month, as it was known then. */
export const overTime = declarePage<OverTime | Failure>({
  path: PATH,
  maxAge: 300,
  script: 'vehicles',
  load: loadOverTime,
  title: () => texts.overTime.title,
  description: () => texts.overTime.lead,
  canonical: () => PATH,
  status: data => (isFailure(data) ? data.failed.status : 200),
  retryAfterS: data => (isFailure(data) ? data.retryAfterS : undefined),
  View,
})

function View({ data }: ViewProps<OverTime | Failure>) {
  return (
    <>
      <h1>{texts.overTime.title}</h1>
      <p>{texts.overTime.lead}</p>
      <form class="fields" action={to(PATH)}>
        <div class="field">
          <label for="by">{texts.overTime.by}</label>
          <select id="by" name="by">
            {KEYS.map(key => (
              <option key={key} value={key} selected={!isFailure(data) && key === data.by}>
                {nameOf(key)}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" class="plain">
          {texts.overTime.show}
        </button>
      </form>
      {isFailure(data) ? <FailedRequest failure={data} retry={to(PATH)} /> : <Fleet data={data} />}
      <p>
        <a href={to('/vehicles')}>{texts.title}</a>
      </p>
    </>
  )
}

const nameOf = (key: Key): string => (key === 'year' ? texts.yearHere : texts.charts[key])

const labelOf = ({ by }: OverTime, { value }: Series): string =>
  value === null ? texts.notStated : by === 'fuelType' ? fuelInWords(value) : value

function Fleet({ data }: { readonly data: OverTime }) {
  const { by, times, series } = data
  const [first] = times
  if (first === undefined) return <p class="notice">{texts.overTime.none}</p>
  return (
    <>
      {times.length === 1 && <p class="notice">{text(texts.overTime.one, { date: dateOf(first) })}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls only what has the focus. */}
      <section class="scrolling" tabIndex={0} aria-label={texts.overTime.title}>
        <table class="over-time">
          <thead>
            <tr>
              <th scope="col">{nameOf(by)}</th>
              <td />
              {times.toReversed().map(at => (
                <th key={at} scope="col">
                  {monthOf(at)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {series.map(each => (
              <tr key={each.value}>
                <th scope="row">{labelOf(data, each)}</th>
                <td>
                  <Line counts={each.counts} />
                </td>
                {each.counts.toReversed().map((count, at) => (
                  <td key={times.at(-1 - at)} class="number">
                    {grouped(count)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p>
        <a href={to(`${numbersOf(by)}&format=csv`)} download>
          {texts.overTime.csv}
        </a>
      </p>
    </>
  )
}

const [WIDTH, HEIGHT] = [120, 32]

/** The course of a count from zero up, oldest first. The table has its numbers. */
function Line({ counts }: Pick<Series, 'counts'>) {
  if (counts.length < 2) return null
  const highest = Math.max(...counts, 1)
  const points = counts.map((count, at) =>
    [(at / (counts.length - 1)) * WIDTH, HEIGHT - (count / highest) * (HEIGHT - 2)]
      .map(place => place.toFixed(1))
      .join(),
  )
  return (
    <svg class="course" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  )
}
