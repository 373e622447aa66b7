import { useEffect, useState } from 'preact/hooks'
import { to } from '../../address.ts'
import { keptOn } from '../../places/kept-places.ts'
import { dateOf } from '../../words/island-time.ts'

/** Says that toilets and defibrillators are kept on the device, once they are. */
export function KeptOffline() {
  const [date, setDate] = useState<string>()
  useEffect(() => {
    const { serviceWorker } = navigator
    // Pages that are not over HTTPS have none.
    if (serviceWorker === undefined) return
    const look = () => keptOn().then(setDate, () => {})
    serviceWorker.ready.then(look)
    serviceWorker.addEventListener('message', look)
    return () => serviceWorker.removeEventListener('message', look)
  }, [])
  if (date === undefined) return null
  return (
    <p class="map-kept muted">
      This device keeps the toilets and defibrillators for when it is offline, as of {dateOf(date)}.{' '}
      <a href={to('/offline')}>See what it keeps</a>
    </p>
  )
}
