import { WithPhoneLinks } from '../../parts/phone-links.tsx'
import { Directions } from '../../places/directions.tsx'
import type { KeptPlace } from '../../places/kept-places.ts'
import { isLocated } from '../../places/kinds.ts'
import { PlaceIcon } from '../../places/place-icons.tsx'
import { factsOf } from '../../places/place-row.tsx'

/** A kept place with its position, because apps for maps find a position without a network. */
export function KeptPlaceRow({ place }: { readonly place: KeptPlace }) {
  return (
    <li class="place-row">
      <PlaceIcon dataset={place.dataset} />
      <div class="place-row-text">
        <strong>{place.name}</strong>
        <p class="facts">{factsOf(place).join(' · ')}</p>
        {place.notes !== null && (
          <p>
            <WithPhoneLinks text={place.notes} />
          </p>
        )}
        {isLocated(place) ? (
          <p class="facts">
            {place.latitude.toFixed(5)}, {place.longitude.toFixed(5)}
          </p>
        ) : (
          <Directions place={place} />
        )}
      </div>
    </li>
  )
}
