import { useEffect, useState } from 'preact/hooks'
import { isLocated } from './kinds.ts'

interface DirectionsProps {
  readonly place: {
    readonly name: string
    readonly latitude: number | null
    readonly longitude: number | null
  }
  /** How it looks, besides a link. */
  readonly class?: string
}

/** A link to the way to a place: in the phone's own app where the page can know that there is one, else on OpenStreetMap's site. */
export function Directions({ place, class: look = '' }: DirectionsProps) {
  const { name, latitude, longitude } = place
  const [isOwn, setOwn] = useState(false)
  // The service cannot know who reads the page.
  useEffect(() => setOwn(true), [])
  if (!isLocated({ latitude, longitude })) return null
  const position = `${latitude},${longitude}`
  const href = (isOwn ? ownApp(navigator.userAgent, position, name) : undefined) ?? onTheWeb(position)
  return (
    <a class={`directions ${look}`.trim()} href={href} rel="noreferrer" aria-label={`Directions to ${name}`}>
      Directions
    </a>
  )
}

const onTheWeb = (position: string) =>
  `https://www.openstreetmap.org/directions?to=${encodeURIComponent(position)}`

/** Android opens `geo:` (RFC 5870) in whichever app its owner has chosen, Apple's phones open `maps:` in theirs. */
function ownApp(userAgent: string, position: string, name: string): string | undefined {
  if (/Android/.test(userAgent)) return `geo:${position}?q=${position}(${encodeURIComponent(name)})`
  return /iPhone|iPad/.test(userAgent) ? `maps:?daddr=${position}` : undefined
}
