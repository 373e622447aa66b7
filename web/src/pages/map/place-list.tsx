import { Directions } from '../../places/directions.tsx'
import { isLocated, KINDS, type Located, type Place, placeKey } from '../../places/kinds.ts'
import { byParish } from '../../places/parishes.ts'
import { PlaceRow } from '../../places/place-row.tsx'
import { type Asked, mapAddress } from './asked.ts'

interface PlaceListProps {
  readonly asked: Asked
  readonly places: readonly Place[]
  /** Opens a place on the map; false while there is no map that can be moved. */
  readonly onOpen: (place: Place & Located) => boolean
}

/** All that the map shows, in words: nearest first, or kind by kind where nobody has said from where. */
export function PlaceList({ asked, places, onOpen }: PlaceListProps) {
  const measured = places.filter(isMeasured)
  const groups =
    measured.length === 0
      ? KINDS.map(({ dataset, many }) => ({
          title: many,
          group: places.filter(place => place.dataset === dataset).toSorted(byParish),
        }))
      : [{ title: 'Position not known', group: places.filter(place => !isMeasured(place)) }]
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

/** Whether a place has a distance from the position that was asked for. */
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
              aria-label={`Show ${place.name} on the map`}
              onClick={event => onOpen(place) && event.preventDefault()}
            >
              Map
            </a>
          ) : (
            <Directions place={place} class="map-open" />
          )}
        </PlaceRow>
      ))}
    </ul>
  )
}
