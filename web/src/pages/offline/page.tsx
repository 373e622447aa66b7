import { useEffect, useState } from 'preact/hooks'
import { declarePage, to, type ViewProps } from '../../page.ts'
import { type KeptPlaces, LISTS, readKept } from '../../places/kept-places.ts'
import { kindOf, type Located, placePath } from '../../places/kinds.ts'
import { LocateButton } from '../../places/locate-button.tsx'
import { PlacesMap } from '../../places/map/places-map.tsx'
import { nearestFirst } from '../../places/nearest-first.ts'
import { ParishField } from '../../places/parish-field.tsx'
import { byParish, parishesOf, parishKey } from '../../places/parishes.ts'
import { PlaceSymbols } from '../../places/place-icons.tsx'
import { PlaceRows, unmeasuredText } from '../../places/place-row.tsx'
import { offline as texts } from '../../texts/en/offline.ts'
import { places as shared } from '../../texts/en/places.ts'
import { rich, strong, text } from '../../texts/rich.tsx'
import { clockTime, dateOf } from '../../words/island-time.ts'
import { EmergencyLink } from '../emergency/emergency-link.tsx'
import { readAsked } from '../map/asked.ts'

/** The places that a device shows without a network. The service worker keeps this page too. */
export const offline = declarePage<null>({
  path: '/offline',
  maxAge: 300,
  script: 'offline',
  hydrated: true,
  isListed: false,
  load: async () => null,
  title: () => texts.title,
  description: () => texts.description,
  View,
})

function View({ site }: ViewProps<null>) {
  return (
    <>
      <PlaceSymbols />
      <h1>{texts.title}</h1>
      <EmergencyLink />
      <p>{texts.lead}</p>
      <p>
        {/* The service worker shows this page at the address of another page. */}
        <button type="button" class="plain" onClick={() => location.reload()}>
          {texts.retry}
        </button>
      </p>
      <KeptPlacesList site={site} />
    </>
  )
}

/** The kept places with their date, by parish or nearest first, or a notice that no places are kept. */
function KeptPlacesList({ site }: Pick<ViewProps<null>, 'site'>) {
  const [kept, setKept] = useState<KeptPlaces>()
  const [dataset, setDataset] = useState('')
  const [parish, setParish] = useState('')
  const [here, setHere] = useState<Located | null>(null)
  useEffect(() => {
    setDataset(askedDataset())
    readKept().then(setKept, () => setKept({ places: [], keptOn: undefined }))
  }, [])
  if (kept === undefined) return <p>{texts.reading}</p>
  if (kept.keptOn === undefined) return <p class="notice">{texts.nothing}</p>
  const asked = kept.places.find(place => to(placePath(place)) === location.pathname)
  const parishes = parishesOf(kept.places)
  const places = kept.places
    .filter(place => dataset === '' || place.dataset === dataset)
    .filter(place => parish === '' || parishKey(place.parish ?? '') === parishKey(parish))
  const ordered = here === null ? places.toSorted(byParish) : nearestFirst(places, here)
  const total = text(kindOf(dataset)?.counted ?? shared.counted, { count: ordered.length })
  return (
    <>
      <p class="notice">
        {rich(texts.saved, { ...{ date: dateOf(kept.keptOn), time: clockTime(kept.keptOn) }, strong })}
        {site.synthetic && ` ${texts.synthetic}`}
      </p>
      {asked !== undefined && (
        <section aria-labelledby="asked">
          <h2 id="asked">{asked.name}</h2>
          <PlaceRows places={[asked]} isOffline />
        </section>
      )}
      <div class="fields offline-filters">
        <div class="field">
          <label for="kind">{shared.whatToShow}</label>
          <select id="kind" value={dataset} onChange={event => setDataset(event.currentTarget.value)}>
            <option value="">{texts.both}</option>
            {LISTS.map(list => (
              <option key={list.dataset} value={list.dataset}>
                {kindOf(list.dataset)?.many}
              </option>
            ))}
          </select>
        </div>
        <ParishField value={parish} parishes={parishes.map(({ name }) => name)} onChoose={setParish} />
        <LocateButton onLocate={setHere} instead="parish" />
      </div>
      <PlacesMap
        places={ordered}
        labels={parishes.filter(parish => 'latitude' in parish)}
        here={here}
        selected={asked ?? null}
        // Only a map's file can be on the device.
        baseMap={site.baseMap !== undefined && 'path' in site.baseMap ? site.baseMap : undefined}
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
