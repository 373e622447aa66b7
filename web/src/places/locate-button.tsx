import { useEffect, useState } from 'preact/hooks'
import type { Located } from './kinds.ts'

interface LocateButtonProps {
  readonly onLocate: (here: Located) => void
  /** What may be chosen instead: the id of a control. */
  readonly instead: string
  /** Whether what is shown is nearest first already. */
  readonly isPressed?: boolean
}

const ASKING: PositionOptions = { enableHighAccuracy: true, timeout: 10_000, maximumAge: 60_000 }

/** Asks where the device is when it is pressed; where the device does not say, it leads to a choice of parishes. */
export function LocateButton({ onLocate, instead, isPressed }: LocateButtonProps) {
  const [state, setState] = useState<'absent' | 'ready' | 'asking' | 'refused'>('absent')
  // Neither a page without scripts nor a device without a position has a use for the button.
  useEffect(() => {
    if ('geolocation' in navigator) setState('ready')
  }, [])
  if (state === 'absent') return isPressed ? <span aria-current="true">Nearest</span> : null
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
        Nearest to me
      </button>
      <p class="locating" role="status">
        {state === 'asking' && 'Asking this device where it is…'}
        {state === 'refused' && 'This device does not say where it is. Choose a parish instead.'}
      </p>
    </>
  )
}

/** A hundred metres: enough for what is near, and no more than the service needs to know. */
const DECIMALS = 3

/** A position as it is sent. */
export const nearText = ({ latitude, longitude }: Located): string =>
  `${latitude.toFixed(DECIMALS)},${longitude.toFixed(DECIMALS)}`
