import { useEffect, useRef, useState } from 'preact/hooks'
import type { Order } from './order.ts'
import type { Parish, Place } from './place.ts'

interface SortingProps {
  readonly order: Order
  readonly place: Place | null
  readonly parishes: readonly Parish[]
}

const ORDERS = [
  { order: 'free', path: '/parking', name: 'Most free' },
  { order: 'name', path: '/parking?sort=name', name: 'Name' },
] as const

/** Chooses what the list is sorted by: links and a form, so that it works without scripts too. */
export function Sorting({ order, place, parishes }: SortingProps) {
  const select = useRef<HTMLSelectElement>(null)
  return (
    <form class="sorting no-print" method="get" action="/parking">
      <ul class="orders" aria-label="Sort by">
        {ORDERS.map(({ order: name, path, name: text }) => (
          <li key={name}>
            <a href={path} aria-current={name === order ? 'true' : undefined}>
              {text}
            </a>
          </li>
        ))}
        <li>
          <NearMe
            isChosen={order === 'near' && place?.parish === null}
            onRefused={() => select.current?.focus()}
          />
        </li>
      </ul>
      {parishes.length > 0 && (
        <div class="field">
          <label for="parish">Nearest to a parish</label>
          <div class="choice">
            <select
              id="parish"
              name="parish"
              ref={select}
              aria-describedby={place?.fault ? 'fault' : undefined}
            >
              <option value="">Choose a parish</option>
              {parishes.map(({ name }) => (
                <option key={name} selected={name === place?.parish}>
                  {name}
                </option>
              ))}
            </select>
            <button type="submit" class="plain">
              Sort
            </button>
          </div>
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

/** Asks where the device is when it is pressed, and loads the page with that position, to a hundred metres. */
function NearMe({ isChosen, onRefused }: { readonly isChosen: boolean; readonly onRefused: () => void }) {
  const [said, say] = useState<string | undefined>(undefined)
  const [isPossible, setPossible] = useState(false)
  useEffect(() => setPossible('geolocation' in navigator), [])
  if (!isPossible) return isChosen ? <span aria-current="true">Nearest</span> : null
  const ask = () => {
    say('Finding where you are…')
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        location.assign(`/parking?near=${coords.latitude.toFixed(3)},${coords.longitude.toFixed(3)}`)
      },
      () => {
        say('Your position is not available. Choose a parish instead.')
        onRefused()
      },
      { maximumAge: 60_000, timeout: 10_000 },
    )
  }
  return (
    <>
      <button type="button" aria-pressed={isChosen} onClick={ask}>
        Nearest to me
      </button>
      <span role="status" class="said">
        {said}
      </span>
    </>
  )
}
