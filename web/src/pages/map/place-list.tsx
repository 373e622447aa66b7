import { isLocated, KINDS, type Located, type Place, placeKey } from '../../places/kinds.ts'
import { PlaceRow } from '../../places/place-row.tsx'
import { type Asked, mapPath } from './asked.ts'

interface PlaceListProps {
  readonly asked: Asked
  readonly places: readonly Place[]
  /** Opens a place on the map; false while there is no map that can be moved. */
  readonly onOpen: (place: Place & Located) => boolean
}

/** All that the map shows, in words: nearest first, or kind by kind where nobody has said from where. */
export function PlaceList({ asked, places, onOpen }: PlaceListProps) {
  if (asked.near !== '') return <Rows asked={asked} places={places} onOpen={onOpen} />
  return KINDS.map(({ dataset, many }) => {
    const group = places.filter(place => place.dataset === dataset)
    return (
      group.length > 0 && (
        <section key={dataset}>
          <h2>
            {many} <span class="muted">{group.length}</span>
          </h2>
          <Rows asked={asked} places={group} onOpen={onOpen} />
        </section>
      )
    )
  })
}

function Rows({ asked, places, onOpen }: PlaceListProps) {
  return (
    <ul class="place-rows">
      {places.map(place => (
        <PlaceRow key={placeKey(place)} place={place}>
          {isLocated(place) && (
            <a
              class="map-open"
              href={mapPath(asked, { place: placeKey(place) })}
              aria-label={`Show ${place.name} on the map`}
              onClick={event => onOpen(place) && event.preventDefault()}
            >
              Map
            </a>
          )}
        </PlaceRow>
      ))}
    </ul>
  )
}
