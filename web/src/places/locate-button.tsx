import { useEffect, useState } from 'preact/hooks'
import { places } from '../texts/en/places.ts'
import { text } from '../texts/text.ts'
import { distanceText } from '../words/numbers.ts'
import type { Located } from './kinds.ts'

interface LocateButtonProps {
  /** Default: "Nearest to me". */
  readonly label?: string
  /** The class of the button. */
  readonly look?: string
  readonly onLocate: (here: Located) => void
  /** The id of the control to choose a parish instead. */
  readonly instead: string
  /** Whether the list is nearest first already. */
  readonly isPressed?: boolean
  /** Whether to locate without a press, if the reader has given permission before. */
  readonly atOnce?: boolean
}

const ASKING: PositionOptions = { enableHighAccuracy: true, timeout: 10_000, maximumAge: 60_000 }

/** A location that is known less exactly may put the places in a wrong order. */
const EXACT_METRES = 200

/** Asks for the location on a press, and says if it is rough. Without a location, the focus goes to the choice of parishes. */
export function LocateButton({ onLocate, instead, isPressed, ...rest }: LocateButtonProps) {
  const { label = places.nearestToMe, look = 'plain', atOnce = false } = rest
  const [state, setState] = useState<'absent' | 'ready' | 'asking' | 'refused'>('absent')
  const [roughness, setRoughness] = useState<number>()
  // The button needs a script, and a device that knows its location.
  useEffect(() => {
    if (!('geolocation' in navigator)) return
    setState('ready')
    const { permissions } = navigator as Partial<Navigator>
    if (atOnce)
      permissions?.query({ name: 'geolocation' }).then(
        ({ state }) => state === 'granted' && locate(),
        () => {},
      )
  }, [])
  const locate = () => {
    setState('asking')
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setState('ready')
        setRoughness(coords.accuracy > EXACT_METRES ? coords.accuracy : undefined)
        onLocate(coords)
      },
      () => {
        setState('refused')
        document.getElementById(instead)?.focus()
      },
      ASKING,
    )
  }
  if (state === 'absent') return isPressed ? <span aria-current="true">{places.nearest}</span> : null
  return (
    <>
      <button type="button" class={look} aria-pressed={isPressed} onClick={locate}>
        {label}
      </button>
      <p class="locating" role="status">
        {state === 'asking' && places.locating}
        {state === 'refused' && places.notLocated}
        {state === 'ready' &&
          roughness !== undefined &&
          text(places.roughlyLocated, { distance: distanceText(roughness) })}
      </p>
    </>
  )
}

/** A hundred metres: near enough to sort places, and the service needs to know no more. */
const DECIMALS = 3

/** A position as it is sent. */
export const nearText = ({ latitude, longitude }: Located): string =>
  `${latitude.toFixed(DECIMALS)},${longitude.toFixed(DECIMALS)}`
