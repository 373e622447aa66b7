import { to } from '../../address.ts'
import { Directions } from '../directions.tsx'
import { type Located, type Place, placePath } from '../kinds.ts'
import { factsOf } from '../place-row.tsx'

/** The facts about a place that somebody pressed on the map. */
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
