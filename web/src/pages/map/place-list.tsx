import { isLocated, KINDS, type ListedPlace, type Located, type Place, placeKey } from '../../places/kinds.ts'
import { byParish } from '../../places/parishes.ts'
import { PlaceRows } from '../../places/place-row.tsx'
import { map } from '../../texts/en/map.ts'
import { text } from '../../texts/text.ts'
import { type Asked, mapAddress } from './asked.ts'

interface PlaceListProps {
  readonly asked: Asked
  readonly places: readonly ListedPlace[]
  /** Opens a place on the map. False until a script has made the map. */
  readonly onOpen: (place: Place & Located) => boolean
}

/** The places of the map as a list: nearest first, or by kind without a position to measure from. */
export function PlaceList({ asked, places, onOpen }: PlaceListProps) {
  const measured = places.filter(isMeasured)
  const linksOf = (place: ListedPlace) =>
    isLocated(place) && (
      <a
        href={mapAddress(asked, { place: placeKey(place) })}
        aria-label={text(map.showPlace, { name: place.name })}
        onClick={event => onOpen(place) && event.preventDefault()}
      >
        {map.onMap}
      </a>
    )
  const groups =
    measured.length === 0
      ? KINDS.map(({ dataset, many }) => ({
          title: many,
          group: places.filter(place => place.dataset === dataset).toSorted(byParish),
        }))
      : [{ title: map.locationUnknown, group: places.filter(place => !isMeasured(place)) }]
  return (
    <>
      {measured.length > 0 && <PlaceRows places={measured} linksOf={linksOf} />}
      {groups.map(
        ({ title, group }) =>
          group.length > 0 && (
            <section key={title}>
              <h2>
                {title} <span class="muted">{group.length}</span>
              </h2>
              <PlaceRows places={group} linksOf={linksOf} />
            </section>
          ),
      )}
    </>
  )
}

/** Whether a place has a distance from the position in the address. */
const isMeasured = ({ distanceMetres }: Place) => distanceMetres !== undefined
