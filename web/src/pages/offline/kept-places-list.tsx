import { useEffect, useState } from 'preact/hooks'
import { to } from '../../address.ts'
import { type KeptPlaces, readKept } from '../../places/kept-places.ts'
import { type Kind, kindOf, type Located, placeKey, placePath } from '../../places/kinds.ts'
import { PlacesMap } from '../../places/map/places-map.tsx'
import { byParish, parishesOf, parishKey } from '../../places/parishes.ts'
import { unmeasuredText } from '../../places/place-row.tsx'
import { clockTime, dateOf } from '../../words/island-time.ts'
import { counted } from '../../words/numbers.ts'
import { nearestFirst } from './distance.ts'
import { KeptPlaceRow } from './kept-place-row.tsx'
import { OfflineFilters, type Wanted } from './offline-filters.tsx'

/** The kept places by parish or nearest first, with their date; says so where there are none. */
export function KeptPlacesList({ synthetic }: { readonly synthetic: boolean }) {
  const [kept, setKept] = useState<KeptPlaces>()
  const [wanted, setWanted] = useState<Wanted>({ dataset: '', parish: '' })
  const [here, setHere] = useState<Located | null>(null)
  useEffect(() => {
    readKept().then(setKept, () => setKept({ places: [], keptOn: undefined }))
  }, [])
  if (kept === undefined) return <p>Reading what this device keeps… This needs JavaScript.</p>
  if (kept.keptOn === undefined)
    return (
      <p class="notice">
        This device keeps no places yet. Open any page once while it is online: it then keeps the toilets and
        defibrillators.
      </p>
    )
  const asked = kept.places.find(place => to(placePath(place)) === location.pathname)
  const parishes = parishesOf(kept.places)
  const places = kept.places
    .filter(({ dataset }) => wanted.dataset === '' || dataset === wanted.dataset)
    .filter(({ parish }) => wanted.parish === '' || parishKey(parish ?? '') === wanted.parish)
  const ordered = here === null ? places.toSorted(byParish) : nearestFirst(places, here)
  return (
    <>
      <p class="notice">
        Toilets and defibrillators as of{' '}
        <strong>
          {dateOf(kept.keptOn)} at {clockTime(kept.keptOn)}
        </strong>
        . Some may have moved since, or closed. Free parking spaces are never kept.
        {synthetic && ' All of these places are invented.'}
      </p>
      {asked !== undefined && (
        <section aria-labelledby="asked">
          <h2 id="asked">{asked.name}</h2>
          <ul class="place-rows">
            <KeptPlaceRow place={asked} />
          </ul>
        </section>
      )}
      <OfflineFilters wanted={wanted} parishes={parishes} onWant={setWanted} onLocate={setHere} />
      <PlacesMap
        places={ordered}
        labels={parishes.filter(parish => 'latitude' in parish)}
        here={here}
        selected={asked ?? null}
      />
      <p>
        {countedPlaces(ordered.length, kindOf(wanted.dataset))}
        {here !== null && `, nearest first.${unmeasuredText(ordered.map(place => place.distanceMetres))}`}
      </p>
      <ul class="place-rows">
        {ordered.map(place => (
          <KeptPlaceRow key={placeKey(place)} place={place} />
        ))}
      </ul>
    </>
  )
}

const countedPlaces = (count: number, kind: Kind | undefined) =>
  kind === undefined
    ? counted(count, 'place')
    : counted(count, kind.one.toLowerCase(), kind.many.toLowerCase())
