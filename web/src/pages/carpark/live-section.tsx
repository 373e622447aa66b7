import { type Freshness, isGone } from '../../live/freshness.ts'
import { whyNoNumber } from '../../parking/count-words.ts'
import { CountedAt } from '../../parking/counted-at.tsx'
import { FreeBar, FreeSpaces } from '../../parking/free-spaces.tsx'
import { Outlook } from '../../parking/outlook.tsx'
import { carpark as texts } from '../../texts/en/carpark.ts'
import { counts } from '../../texts/en/counts.ts'
import { meaningOf } from '../../texts/meaning.ts'
import { rich, strong, text } from '../../texts/rich.tsx'
import { clockTime, weekdayOf } from '../../words/island-time.ts'
import { DayChart } from './day-chart.tsx'
import { type DayCurve, typicalNow } from './day-curve.ts'
import { DayTable } from './day-table.tsx'
import { ForecastList } from './forecast-list.tsx'
import type { LivePart } from './load-live.ts'

interface LiveProps {
  readonly live: LivePart
  readonly freshness: Freshness
}

/** The count of one car park, and why it may be missing. */
export function LiveCount({ live: { row, at }, freshness }: LiveProps) {
  const why = at === null ? counts.neverCounted : whyNoNumber(row.count, at)
  return (
    <section id="counts" class="big-count" aria-label={texts.freeSpaces}>
      <FreeSpaces row={row} freshness={freshness} at={at ?? ''} />
      <FreeBar row={row} freshness={freshness} />
      <Outlook row={row} freshness={freshness} />
      {why !== undefined && <p class="why">{why}</p>}
      {at !== null && (
        <p class="counted facts">
          <CountedAt at={at} />
        </p>
      )}
    </section>
  )
}

/** The forecast for one car park, and its day. */
export function LiveDay({ live: { row, forecast, day }, freshness }: LiveProps) {
  const isGood = row.count.quality === 'good' && !isGone(freshness)
  return (
    <>
      {isGood && freshness.state !== 'old' && forecast !== null && (
        <section aria-labelledby="soon">
          <h2 id="soon">{texts.nextHours}</h2>
          <ForecastList forecast={forecast} />
        </section>
      )}
      {day !== null && (
        <section aria-labelledby="day">
          <h2 id="day">{text(texts.dayTitle, { weekday: weekdayOf(day.at) })}</h2>
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
  if (usual === null)
    return <p class="muted">{day.noTypical === null ? texts.tooFewDays : meaningOf(day.noTypical)}</p>
  return (
    <p>
      {rich(texts.typicalNow, {
        ...{ time: clockTime(day.at), weekday: weekdayOf(day.at) },
        ...{ spaces: usual.middle, low: usual.low, high: usual.high },
        strong,
      })}
    </p>
  )
}
