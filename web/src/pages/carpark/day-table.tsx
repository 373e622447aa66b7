import { carpark as texts } from '../../texts/en/carpark.ts'
import { text } from '../../texts/text.ts'
import { weekdayOf } from '../../words/island-time.ts'
import { timeOfQuarter } from './day-chart.tsx'
import type { DayCurve } from './day-curve.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** The day hour by hour, as a table. */
export function DayTable({ curve }: { readonly curve: DayCurve }) {
  const { counted, typical, at } = curve
  const weekday = weekdayOf(at)
  return (
    <details class="day-table scrolling">
      <summary>{texts.asTable}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.from}</th>
            <th scope="col">{text(texts.thisDay, { weekday })}</th>
            <th scope="col">{text(texts.typicalDay, { weekday })}</th>
            <th scope="col">{texts.usualRange}</th>
          </tr>
        </thead>
        <tbody>
          {HOURS.map(hour => {
            const usual = typical[hour * 4]
            return (
              <tr key={hour}>
                <th scope="row">{timeOfQuarter(hour * 4)}</th>
                <td>{counted[hour * 4] ?? '–'}</td>
                <td>{usual?.middle ?? '–'}</td>
                <td>{usual ? text(texts.range, usual) : '–'}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </details>
  )
}
