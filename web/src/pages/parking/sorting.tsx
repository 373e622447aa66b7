import { to } from '../../address.ts'
import { WAITS, type Wait } from '../../parking/load-counts.ts'
import type { MapLabel } from '../../places/island-drawing.tsx'
import { LocateButton, nearText } from '../../places/locate-button.tsx'
import { ParishField } from '../../places/parish-field.tsx'
import { parking } from '../../texts/en/parking.ts'
import { text } from '../../texts/text.ts'
import type { Order } from './order.ts'
import type { SortedFrom } from './place.ts'

interface SortingProps {
  readonly order: Order
  readonly wait: Wait
  readonly place: SortedFrom | null
  readonly parishes: readonly MapLabel[]
}

const ORDERS = [
  { order: 'free', path: '/parking', name: parking.mostFree },
  { order: 'chance', path: '/parking?sort=chance', name: parking.bestChance },
  { order: 'name', path: '/parking?sort=name', name: parking.name },
] as const

/** Chooses the order of the list. Links and a form work without scripts too. */
export function Sorting({ order, wait, place, parishes }: SortingProps) {
  return (
    <form class="sorting no-print" method="get" action={to('/parking')}>
      <ul class="orders" aria-label={parking.sortBy}>
        {ORDERS.map(({ order: name, path, name: words }) => (
          <li key={name}>
            <a href={to(path)} aria-current={name === order ? 'true' : undefined}>
              {words}
            </a>
          </li>
        ))}
        <li>
          <LocateButton
            onLocate={here => location.assign(to(`/parking?near=${nearText(here)}`))}
            instead="parish"
            isPressed={order === 'near' && place?.parish === null}
          />
        </li>
      </ul>
      {order === 'chance' && (
        <ul class="orders" aria-label={parking.arrival}>
          {WAITS.map(each => (
            <li key={each}>
              <a
                href={to(`/parking?sort=chance&minutes=${each}`)}
                aria-current={each === wait ? 'true' : undefined}
              >
                {text(parking.arriveIn, { minutes: each })}
              </a>
            </li>
          ))}
        </ul>
      )}
      {parishes.length > 0 && (
        <div class="choice">
          <ParishField
            parishes={parishes.map(({ name }) => name)}
            value={place?.parish ?? ''}
            none={`${parking.nearestParish}…`}
            hiddenLabel={parking.nearestParish}
            describedBy={place?.fault ? 'fault' : undefined}
          />
          <button type="submit" class="plain">
            {parking.sort}
          </button>
        </div>
      )}
      {place?.fault && (
        <p id="fault" class="fault" role="alert">
          {place.fault}
        </p>
      )}
    </form>
  )
}
