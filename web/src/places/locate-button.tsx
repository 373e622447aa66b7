import { useEffect, useState } from 'preact/hooks'
import { askPosition } from './ask-position.ts'
import type { Located } from './kinds.ts'

interface LocateButtonProps {
  readonly onLocate: (here: Located) => void
  /** What may be chosen instead: the id of a control. */
  readonly instead: string
}

/** Asks where the device is when it is pressed; where the device does not say, it leads to a choice of parishes. */
export function LocateButton({ onLocate, instead }: LocateButtonProps) {
  const [state, setState] = useState<'absent' | 'ready' | 'asking' | 'refused'>('absent')
  // A page without scripts has no use for the button.
  useEffect(() => setState('ready'), [])
  if (state === 'absent') return null
  const locate = async () => {
    setState('asking')
    try {
      onLocate(await askPosition())
      setState('ready')
    } catch {
      setState('refused')
      document.getElementById(instead)?.focus()
    }
  }
  return (
    <>
      <button type="button" class="plain" onClick={locate}>
        Nearest to me
      </button>
      <p class="locating" role="status">
        {state === 'asking' && 'Asking this device where it is…'}
        {state === 'refused' && 'This device does not say where it is. Choose a parish instead.'}
      </p>
    </>
  )
}
