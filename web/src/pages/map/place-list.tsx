import { Directions } from '../../places/directions.tsx'
import { isLocated, KINDS, type Located, type Place, placeKey } from '../../places/kinds.ts'
import { byParish } from '../../places/parishes.ts'
import { PlaceRow } from '../../places/place-row.tsx'
import { map } from '../../texts/en/map.ts'
import { text } from '../../texts/text.ts'
import { type Asked, mapAddress } from './asked.ts'

interface PlaceListProps {
  readonly asked: Asked
  readonly places: readonly Place[]
  /** Opens a place on the map. False until a script has made the map. */
  readonly onOpen: (place: Place & Located) => boolean
}

/** The places of the map as a list: nearest first, or by kind without a position to measure from. */
export function PlaceList({ asked, places, onOpen }: PlaceListProps) {
  const measured = places.filter(isMeasured)
  const groups =
    measured.length === 0
      ? KINDS.map(({ dataset, many }) => ({
          title: many,
          group: places.filter(place => place.dataset === dataset).toSorted(byParish),
        }))
      : [{ title: map.locationUnknown, group: places.filter(place => !isMeasured(place)) }]
  return (
    <>
      {measured.length > 0 && <Rows asked={asked} places={measured} onOpen={onOpen} />}
      {groups.map(
        ({ title, group }) =>
          group.length > 0 && (
            <section key={title}>
              <h2>
                {title} <span class="muted">{group.length}</span>
              </h2>
              <Rows asked={asked} places={group} onOpen={onOpen} />
            </section>
          ),
      )}
    </>
  )
}

/** Whether a place has a distance from the position in the address. */
const isMeasured = ({ distanceMetres }: Place) => distanceMetres !== undefined

function Rows({ asked, places, onOpen }: PlaceListProps) {
  return (
    <ul class="place-rows">
      {places.map(place => (
        <PlaceRow key={placeKey(place)} place={place}>
          {isLocated(place) ? (
            <a
              class="map-open"
              href={mapAddress(asked, { place: placeKey(place) })}
              aria-label={text(map.showPlace, { name: place.name })}
              onClick={event => onOpen(place) && event.preventDefault()}
            >
              {map.onMap}
            </a>
          ) : (
            <Directions place={place} class="map-open" />
          )}
        </PlaceRow>
      ))}
    </ul>
  )
}
