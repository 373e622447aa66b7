import { useEffect, useState } from 'preact/hooks'
import type { CarParkInBrief } from './records.ts'

type Place = Pick<CarParkInBrief, 'name' | 'latitude' | 'longitude'>

/** A link to the way there: in the phone's own app where the page can know that there is one, else on OpenStreetMap's site. */
export function Directions({ place }: { readonly place: Place }) {
  const { name, latitude, longitude } = place
  const position = `${latitude},${longitude}`
  const [href, setHref] = useState(
    `https://www.openstreetmap.org/directions?to=${encodeURIComponent(position)}`,
  )
  useEffect(() => {
    const own = ownApp(navigator.userAgent, position, name)
    if (own !== undefined) setHref(own)
  }, [position, name])
  if (latitude === null || longitude === null) return null
  return (
    <a class="directions" href={href} aria-label={`Directions to ${name}`}>
      Directions
    </a>
  )
}

/** Android opens `geo:` (RFC 5870) in whichever app its owner has chosen, Apple's phones open `maps:` in theirs. */
function ownApp(userAgent: string, position: string, name: string): string | undefined {
  if (/Android/.test(userAgent)) return `geo:${position}?q=${position}(${encodeURIComponent(name)})`
  return /iPhone|iPad/.test(userAgent) ? `maps:?daddr=${position}` : undefined
}
