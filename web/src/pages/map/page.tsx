import { useEffect, useRef } from 'preact/hooks'
import { declarePage, type ViewProps } from '../../page.ts'
import { isLocated, kindOf, type Located, type Place, placeKey } from '../../places/kinds.ts'
import type { IslandMap } from '../../places/map/leaflet-map.tsx'
import { PlacesMap } from '../../places/map/places-map.tsx'
import { PlaceSymbols } from '../../places/place-icons.tsx'
import { PlaceRow, unmeasuredText } from '../../places/place-row.tsx'
import { map as texts } from '../../texts/en/map.ts'
import { places as shared } from '../../texts/en/places.ts'
import { anchor, rich, text } from '../../texts/rich.tsx'
import { isFiltered, mapAddress } from './asked.ts'
import { Filters, MistakesOf } from './filters.tsx'
import { KeptOffline } from './kept-offline.tsx'
import { useAsked, useLivePlaces } from './live-places.ts'
import { loadMap, type MapData } from './load.ts'
import { PlaceList } from './place-list.tsx'

/** Every place on one map, with a list of the same places. */
export const map = declarePage<MapData>({
  path: '/map',
  maxAge: 30,
  script: 'map',
  hydrated: true,
  load: loadMap,
  title: ({ asked: { dataset } }) => {
    const [only, ...more] = dataset
    const kind = more.length === 0 && only !== undefined ? kindOf(only) : undefined
    return kind === undefined ? texts.title : text(texts.titleOf, { kind: kind.many })
  },
  description: () => texts.description,
  status: ({ mistakes }) => (mistakes.length === 0 ? 200 : mistakes.every(isOfPlace) ? 404 : 400),
  View,
})

const isOfPlace = ({ parameter }: { readonly parameter: string }) => parameter === 'place'

function View({ data: first, site }: ViewProps<MapData>) {
  const { data, chosen, ask } = useAsked(first)
  const { asked, mistakes, selected, here, labels, unavailable } = data
  const refused = mistakes.map(({ parameter }) => parameter)
  const { places, outOfDate } = useLivePlaces(data.places, { asked, refused })
  const island = useRef<IslandMap>(null)
  const drawn = selected === null || places.some(isSame(selected)) ? places : [...places, selected]
  useEffect(() => {
    if (data !== first) island.current?.fit(data)
  }, [data])
  const open = (place: Place & Located) => {
    island.current?.open(place)
    return island.current !== null
  }
  return (
    <>
      <PlaceSymbols />
      <h1>{texts.title}</h1>
      <MistakesOf parameter="place" mistakes={mistakes} />
      <Filters data={{ ...data, asked: chosen }} onAsk={ask} />
      {unavailable.length > 0 && (
        <p class="notice">
          {text(texts.unavailable, { kinds: unavailable.map(name => kindOf(name)?.many ?? name).join(', ') })}
        </p>
      )}
      {outOfDate && (
        <p class="notice" role="status">
          {rich(texts.outOfDate, { link: anchor(mapAddress(asked)) })}
        </p>
      )}
      <div class="map-columns">
        <div>
          <a class="skip-map" href="#places">
            {texts.skip}
          </a>
          <PlacesMap {...{ places: drawn, labels, here, selected, baseMap: site.baseMap, mapRef: island }} />
        </div>
        <section id="places" class="map-list" aria-label={texts.list} tabIndex={-1}>
          <p class="map-total" role="status">
            {totalText(data, places.length)}
          </p>
          {selected !== null && (
            <ul class="place-rows map-selected" aria-label={texts.selected}>
              <PlaceRow place={places.find(isSame(selected)) ?? selected} />
            </ul>
          )}
          <PlaceList asked={asked} places={places} onOpen={open} />
          <KeptOffline />
        </section>
      </div>
    </>
  )
}

const isSame = (place: Place) => (other: Place) => placeKey(place) === placeKey(other)

/** Says how many places there are, or how to find some. */
function totalText({ asked, here, places }: MapData, count: number): string {
  if (count === 0 && asked.facility.length > 0 && asked.service.length > 0) return texts.noPlaceOfBoth
  if (count === 0 && isFiltered(asked)) return texts.noPlace
  const distances = places.map(({ distanceMetres }) => distanceMetres)
  if (here !== null) return text(texts.nearestFirst, { count }) + unmeasuredText(distances)
  const unlocated = places.filter(place => !isLocated(place)).length
  return unlocated === 0 ? text(shared.counted, { count }) : text(texts.inListOnly, { count, unlocated })
}
