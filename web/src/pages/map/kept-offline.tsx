import { useEffect, useState } from 'preact/hooks'
import { keptOn } from '../../places/kept-places.ts'
import { map } from '../../texts/en/map.ts'
import { link, rich } from '../../texts/rich.tsx'
import { dateOf } from '../../words/island-time.ts'

/** Says that toilets and defibrillators are kept on the device, once they are. */
export function KeptOffline() {
  const [date, setDate] = useState<string>()
  useEffect(() => {
    const { serviceWorker } = navigator
    // Only pages over HTTPS have service workers.
    if (serviceWorker === undefined) return
    const look = () => keptOn().then(setDate, () => {})
    serviceWorker.ready.then(look)
    serviceWorker.addEventListener('message', look)
    return () => serviceWorker.removeEventListener('message', look)
  }, [])
  if (date === undefined) return null
  return <p class="map-kept muted">{rich(map.saved, { date: dateOf(date), link: link('/offline') })}</p>
}
