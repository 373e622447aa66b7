import { useEffect, useState } from 'preact/hooks'
import { places } from '../texts/en/places.ts'
import type { Located } from './kinds.ts'

interface LocateButtonProps {
  readonly onLocate: (here: Located) => void
  /** The id of the control to choose a parish instead. */
  readonly instead: string
  /** Whether the list is nearest first already. */
  readonly isPressed?: boolean
}

const ASKING: PositionOptions = { enableHighAccuracy: true, timeout: 10_000, maximumAge: 60_000 }

/** Asks for the location on a press. Without a location, the focus goes to the choice of parishes. */
export function LocateButton({ onLocate, instead, isPressed }: LocateButtonProps) {
  const [state, setState] = useState<'absent' | 'ready' | 'asking' | 'refused'>('absent')
  // The button needs a script, and a device that knows its location.
  useEffect(() => {
    if ('geolocation' in navigator) setState('ready')
  }, [])
  if (state === 'absent') return isPressed ? <span aria-current="true">{places.nearest}</span> : null
  const locate = () => {
    setState('asking')
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setState('ready')
        onLocate(coords)
      },
      () => {
        setState('refused')
        document.getElementById(instead)?.focus()
      },
      ASKING,
    )
  }
  return (
    <>
      <button type="button" class="plain" aria-pressed={isPressed} onClick={locate}>
        {places.nearestToMe}
      </button>
      <p class="locating" role="status">
        {state === 'asking' && places.locating}
        {state === 'refused' && places.notLocated}
      </p>
    </>
  )
}

/** A hundred metres: near enough to sort places, and the service needs to know no more. */
const DECIMALS = 3

/** A position as it is sent. */
export const nearText = ({ latitude, longitude }: Located): string =>
  `${latitude.toFixed(DECIMALS)},${longitude.toFixed(DECIMALS)}`
