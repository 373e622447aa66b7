import { dataLanguage, to } from '../../address.ts'
import type { Freshness } from '../../live/freshness.ts'
import { paymentOf, stayOf } from '../../parking/car-park-words.ts'
import { whyNoNumber } from '../../parking/count-words.ts'
import { FreeBar, FreeSpaces } from '../../parking/free-spaces.tsx'
import { Outlook } from '../../parking/outlook.tsx'
import type { Row } from '../../parking/row.ts'
import { Directions } from '../../places/directions.tsx'
import { parking } from '../../texts/en/parking.ts'
import { text } from '../../texts/text.ts'
import { awayText } from '../../words/numbers.ts'

interface CarParkItemProps {
  readonly row: Row
  readonly at: string
  readonly freshness: Freshness
  /** Metres from the place that the list is sorted by. */
  readonly distance?: number | undefined
  /** Whether to leave out all but the count, where the list has little room. */
  readonly isBrief?: boolean
}

/** One car park of the list. */
export function CarParkItem({ row, at, freshness, distance, isBrief }: CarParkItemProps) {
  const { code, name, count, carPark } = row
  const why = whyNoNumber(count, at)
  const stay = carPark === null ? undefined : stayOf(carPark)
  const payment = carPark === null ? undefined : paymentOf(carPark)
  const facts = [stay, distance === undefined ? undefined : awayText(distance)]
  return (
    <li class="car-park" data-code={code}>
      <div class="head">
        <div>
          <h2>
            <a href={to(`/parking/${encodeURIComponent(code)}`)} lang={dataLanguage}>
              {name}
            </a>
          </h2>
          {!isBrief && <p class="facts">{facts.filter(Boolean).join(' · ')}</p>}
        </div>
        <FreeSpaces row={row} freshness={freshness} at={at} />
      </div>
      <FreeBar row={row} freshness={freshness} />
      {!isBrief && <Outlook row={row} freshness={freshness} />}
      {why !== undefined && <p class="why">{why}</p>}
      {carPark !== null && !isBrief && (
        <p class="facts foot">
          <span>{payment !== undefined && text(parking.payBy, { ways: payment })}</span>{' '}
          <Directions place={carPark} class="no-print" />
        </p>
      )}
    </li>
  )
}
