import { tenthsOf } from '../../parking/outlook.tsx'
import type { Forecast } from '../../parking/records.ts'
import { carpark as texts } from '../../texts/en/carpark.ts'
import { meaningOf } from '../../texts/meaning.ts'
import { text } from '../../texts/text.ts'
import { clockTime } from '../../words/island-time.ts'

/** The forecast for the next two hours, and the error of earlier forecasts. */
export function ForecastList({ forecast }: { readonly forecast: Forecast }) {
  const { results, detail } = forecast
  if (results.length === 0)
    return (
      <p class="muted">
        {text(texts.noForecast, {
          reason: lowerFirst(detail === null ? texts.shortPast : meaningOf(detail)),
        })}
      </p>
    )
  const error = results.find(({ minutesAhead }) => minutesAhead === 60)?.error
  return (
    <>
      <ul class="forecast">
        {results.map(({ minutesAhead, at, expected, low, high, chanceOfTen }) => (
          <li key={minutesAhead}>
            <span class="muted">{clockTime(at)}</span>
            <strong>{expected}</strong>
            <span class="muted">{text(texts.range, { low, high })}</span>
            <span class="muted">{text(texts.chance, { tenths: tenthsOf({ chanceOfTen }) })}</span>
          </li>
        ))}
      </ul>
      <p class="facts">
        {texts.forecastRange}
        {error && ` ${text(texts.forecastError, { error: whole(error.meanAbsoluteError) })}`}
      </p>
    </>
  )
}

/** An error in whole spaces; 0 is less than one. */
const whole = (spaces: number) => (spaces < 1 ? 0 : Math.round(spaces))

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
