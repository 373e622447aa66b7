import { useEffect, useState } from 'preact/hooks'
import { to } from '../../address.ts'
import { type KeptPlaces, LISTS, readKept } from '../../places/kept-places.ts'
import { kindOf, type Located, placePath } from '../../places/kinds.ts'
import { PlacesMap } from '../../places/map/places-map.tsx'
import { nearestFirst } from '../../places/nearest-first.ts'
import { byParish, parishesOf, parishKey } from '../../places/parishes.ts'
import { PlaceRows, unmeasuredText } from '../../places/place-row.tsx'
import { offline as texts } from '../../texts/en/offline.ts'
import { places as shared } from '../../texts/en/places.ts'
import { rich, strong, text } from '../../texts/rich.tsx'
import { clockTime, dateOf } from '../../words/island-time.ts'
import { readAsked } from '../map/asked.ts'
import { OfflineFilters, type Wanted } from './offline-filters.tsx'

/** The kept places with their date, by parish or nearest first, or a notice that no places are kept. */
export function KeptPlacesList({ synthetic }: { readonly synthetic: boolean }) {
  const [kept, setKept] = useState<KeptPlaces>()
  const [wanted, setWanted] = useState<Wanted>({ dataset: '', parish: '' })
  const [here, setHere] = useState<Located | null>(null)
  useEffect(() => {
    setWanted({ dataset: askedDataset(), parish: '' })
    readKept().then(setKept, () => setKept({ places: [], keptOn: undefined }))
  }, [])
  if (kept === undefined) return <p>{texts.reading}</p>
  if (kept.keptOn === undefined) return <p class="notice">{texts.nothing}</p>
  const asked = kept.places.find(place => to(placePath(place)) === location.pathname)
  const parishes = parishesOf(kept.places)
  const places = kept.places
    .filter(({ dataset }) => wanted.dataset === '' || dataset === wanted.dataset)
    .filter(({ parish }) => wanted.parish === '' || parishKey(parish ?? '') === wanted.parish)
  const ordered = here === null ? places.toSorted(byParish) : nearestFirst(places, here)
  const total = text(kindOf(wanted.dataset)?.counted ?? shared.counted, { count: ordered.length })
  return (
    <>
      <p class="notice">
        {rich(texts.saved, { ...{ date: dateOf(kept.keptOn), time: clockTime(kept.keptOn) }, strong })}
        {synthetic && ` ${texts.synthetic}`}
      </p>
      {asked !== undefined && (
        <section aria-labelledby="asked">
          <h2 id="asked">{asked.name}</h2>
          <PlaceRows places={[asked]} isOffline />
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
        {here === null
          ? total
          : text(texts.total, { total }) + unmeasuredText(ordered.map(place => place.distanceMetres))}
      </p>
      <PlaceRows places={ordered} isOffline />
    </>
  )
}

/** The kind of places that the address asks for, if the device keeps that kind; empty for both kinds. */
function askedDataset(): string {
  const { pathname, search } = location
  if (pathname === to('/emergency')) return 'defibrillators'
  const asked = readAsked(new URLSearchParams(search)).dataset
  const kept = LISTS.filter(({ dataset }) => asked.includes(dataset) || pathname === to(`/${dataset}`))
  return kept.length === 1 ? (kept[0]?.dataset ?? '') : ''
}
