import type { Forecast } from '../../parking/records.ts'
import { clockTime } from '../../words/island-time.ts'
import { counted } from '../../words/numbers.ts'

/** What is expected in the next two hours, and how far such forecasts were off. */
export function ForecastList({ forecast }: { readonly forecast: Forecast }) {
  const { results, detail } = forecast
  if (results.length === 0)
    return <p class="muted">No forecast: {lowerFirst(detail ?? 'the past is too short.')}</p>
  const error = results.find(({ minutesAhead }) => minutesAhead === 60)?.error
  return (
    <>
      <ul class="forecast">
        {results.map(({ minutesAhead, at, expected, low, high }) => (
          <li key={minutesAhead}>
            <span class="muted">{clockTime(at)}</span>
            <strong>{expected}</strong>
            <span class="muted">
              {low} to {high}
            </span>
          </li>
        ))}
      </ul>
      <p class="facts">
        Four forecasts in five stay within the range below the number.
        {error &&
          ` Forecasts for an hour ahead were ${offBy(error.meanAbsoluteError)} off on average in the last four weeks.`}
      </p>
    </>
  )
}

const offBy = (spaces: number) => (spaces < 1 ? 'less than one space' : counted(Math.round(spaces), 'space'))

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
