import { to } from '../../address.ts'
import { Directions } from '../directions.tsx'
import { type Located, type Place, placePath } from '../kinds.ts'
import { factsOf } from '../place-row.tsx'

/** What the map says of a place that is pressed. */
export function PopupText({ place }: { readonly place: Place & Located }) {
  return (
    <div class="map-popup">
      <a class="map-popup-name" href={to(placePath(place))}>
        {place.name}
      </a>
      <p>{factsOf(place).join(' · ')}</p>
      <Directions place={place} />
    </div>
  )
}
