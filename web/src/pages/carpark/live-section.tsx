import { type Freshness, isGone } from '../../live/freshness.ts'
import { whyNoNumber } from '../../parking/count-words.ts'
import { FreeBar, FreeSpaces } from '../../parking/free-spaces.tsx'
import { Outlook } from '../../parking/outlook.tsx'
import { clockTime, dayAndTime, weekdayOf } from '../../words/island-time.ts'
import { DayChart } from './day-chart.tsx'
import { type DayCurve, typicalNow } from './day-curve.ts'
import { DayTable } from './day-table.tsx'
import { ForecastList } from './forecast-list.tsx'
import type { LivePart } from './load-car-park.ts'

/** The count of one car park, its day, and what comes. */
export function LiveSection({ live, freshness }: { readonly live: LivePart; readonly freshness: Freshness }) {
  const { row, at, forecast, day } = live
  const why = at === null ? 'The feed has not counted this car park yet.' : whyNoNumber(row.count, at)
  const isGood = row.count.quality === 'good' && !isGone(freshness)
  return (
    <>
      <section id="counts" class="big-count" aria-label="Free spaces">
        <FreeSpaces row={row} freshness={freshness} at={at ?? ''} />
        <FreeBar row={row} freshness={freshness} />
        <Outlook row={row} freshness={freshness} />
        {why !== undefined && <p class="why">{why}</p>}
        {at !== null && (
          <p class="counted facts">
            Counted on <time dateTime={at}>{dayAndTime(at)}</time>.
          </p>
        )}
      </section>
      {isGood && freshness.state !== 'old' && forecast !== null && (
        <section aria-labelledby="soon">
          <h2 id="soon">The next two hours</h2>
          <ForecastList forecast={forecast} />
        </section>
      )}
      {day !== null && (
        <section aria-labelledby="day">
          <h2 id="day">This {weekdayOf(day.at)} and a typical one</h2>
          <TypicalLine day={day} />
          <DayChart
            curve={day}
            forecast={isGood ? forecast : null}
            spaces={isGood ? row.count.spaces : null}
            capacity={row.carPark?.spaces}
          />
          <DayTable curve={day} />
        </section>
      )}
    </>
  )
}

function TypicalLine({ day }: { readonly day: DayCurve }) {
  const usual = typicalNow(day)
  if (usual === null) return <p class="muted">{day.noTypical ?? 'Too little is known of such days.'}</p>
  return (
    <p>
      At {clockTime(day.at)} on a typical {weekdayOf(day.at)} about <strong>{usual.middle}</strong> spaces are
      free ({usual.low} to {usual.high}).
    </p>
  )
}
