import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Site } from '../../../../src/interfaces/web/explorer.ts'
import { places as texts } from '../../texts/en/places.ts'
import { IslandDrawing, MapAttribution, type MapLabel } from '../island-drawing.tsx'
import { isLocated, type Located, type Place } from '../kinds.ts'
import type { IslandMap } from './leaflet-map.tsx'

interface PlacesMapProps {
  readonly places: readonly Place[]
  readonly labels: readonly MapLabel[]
  readonly here?: Located | null
  /** A place to open at once. */
  readonly selected?: Place | null
  readonly baseMap?: Site['baseMap']
  /** Gets the map once it can be moved. */
  readonly mapRef?: RefObject<IslandMap | null>
}

/** Places on the island: a drawing, until a script makes it a map that can be moved. */
export function PlacesMap({ places, labels, here = null, selected = null, baseMap, mapRef }: PlacesMapProps) {
  const holder = useRef<HTMLElement>(null)
  const own = useRef<IslandMap | null>(null)
  const latest = useRef({ places, here })
  const [movable, setMovable] = useState(false)
  latest.current = { places, here }

  // A map is made once, and shows each change by the effect below.
  useEffect(() => {
    let gone = false
    import('./leaflet-map.tsx').then(
      ({ createIslandMap }) => {
        if (gone || holder.current === null) return
        setMovable(true)
        own.current = createIslandMap(holder.current, { baseMap, labels })
        if (mapRef !== undefined) mapRef.current = own.current
        own.current.show(latest.current)
        if (selected !== null && isLocated(selected)) own.current.open(selected)
        else own.current.fit(latest.current)
      },
      // Without the script of the map, the drawing and the list stay.
      () => {},
    )
    return () => {
      gone = true
      own.current?.remove()
    }
  }, [])
  useEffect(() => own.current?.show({ places, here }), [places, here])

  return (
    <div class="places-map">
      <div class="places-map-frame">
        <section class="places-map-holder" ref={holder} aria-label={texts.map} />
        {!movable && <IslandDrawing label={texts.drawing} places={places} labels={labels} />}
      </div>
      <MapAttribution baseMap={baseMap?.attribution} />
    </div>
  )
}
