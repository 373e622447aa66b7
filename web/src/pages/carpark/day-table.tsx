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
      <summary>These numbers as a table</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">This {weekday}</th>
            <th scope="col">Typical {weekday}</th>
            <th scope="col">Eight in ten</th>
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
                <td>{usual ? `${usual.low} to ${usual.high}` : '–'}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </details>
  )
}
