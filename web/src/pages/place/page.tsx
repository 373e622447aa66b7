import { ISLAND } from '../../../../src/island/island.ts'
import { declarePage, to, type ViewProps } from '../../page.ts'
import { Fact } from '../../parts/fact.tsx'
import { Directions } from '../../places/directions.tsx'
import { IslandDrawing, MapAttribution } from '../../places/island-drawing.tsx'
import { isLocated, kindOf, type Place, placeKey, placePath } from '../../places/kinds.ts'
import { PlaceSymbols } from '../../places/place-icons.tsx'
import { PlaceRow } from '../../places/place-row.tsx'
import { placeAddresses } from './addresses.ts'
import { loadPlace, type PlaceData } from './load.ts'
import { OriginOf } from './origin.tsx'
import { structuredPlace } from './structured.ts'

/** A page for each toilet, defibrillator, recycling centre and car park. */
export const place = declarePage<PlaceData>({
  path: '/places/:dataset/:id',
  maxAge: 600,
  script: 'place',
  load: loadPlace,
  title: ({ place }) => (place === null ? 'No such place' : `${place.name}, ${nameOf(place).toLowerCase()}`),
  description: ({ place, ...data }) =>
    place === null
      ? 'No published place has this address.'
      : [nameOf(place), ...('facts' in data ? data.facts.map(fact => fact.join(': ')) : [])].join('. '),
  canonical: ({ place }) => (place === null ? undefined : placePath(place)),
  status: ({ place }) => (place === null ? 404 : 200),
  structured: structuredPlace,
  addresses: placeAddresses,
  View,
})

function nameOf({ dataset, parish }: Place): string {
  const kind = kindOf(dataset)?.one ?? 'Place'
  return parish === null ? kind : `${kind} in ${parish}`
}

function View({ data, site }: ViewProps<PlaceData>) {
  if (data.place === null) return <NoPlace dataset={data.dataset} />
  const { place, facts, notes, trackingCode, nearby, origin, isHeldBack } = data
  const kind = kindOf(place.dataset)
  return (
    <article class="place">
      <PlaceSymbols />
      <p class="place-kind">
        <a href={to(`/map?dataset=${place.dataset}`)}>{kind?.many}</a>
      </p>
      <h1>{place.name}</h1>
      <p class="place-lead">{nameOf(place)}</p>
      {place.dataset === 'defibrillators' && !site.synthetic && (
        <p class="notice">
          In an emergency call {ISLAND.emergencyNumbers.join(' or ')} first. They can tell you how to open the
          cabinet.
        </p>
      )}
      <Position place={place} isHeldBack={isHeldBack} />
      {trackingCode !== null && site.isCounting && (
        <p>
          <a href={to(`/parking/${encodeURIComponent(trackingCode)}`)}>Free spaces now, and in an hour</a>
        </p>
      )}
      <div class="place-columns">
        <dl class="facts-list">
          {facts.map(([term, text]) => (
            <Fact key={term} name={term}>
              {text}
            </Fact>
          ))}
          <Fact name="Notes">{notes}</Fact>
        </dl>
        {isLocated(place) && (
          <figure class="place-map">
            <IslandDrawing label={`Where ${place.name} is on the island`} places={[place]} />
            <MapAttribution />
          </figure>
        )}
      </div>
      {nearby.length > 0 && (
        <section>
          <h2>{kind?.many} nearby</h2>
          <ul class="place-rows">
            {nearby.map(each => (
              <PlaceRow key={placeKey(each)} place={each} />
            ))}
          </ul>
        </section>
      )}
      <OriginOf dataset={place.dataset} origin={origin} path={place.path} />
    </article>
  )
}

function Position({ place, isHeldBack }: { readonly place: Place; readonly isHeldBack: boolean }) {
  if (!isLocated(place))
    return (
      <p class="notice">
        {isHeldBack
          ? 'The publisher’s list puts this place off the island'
          : 'The publisher gives no position for this place'}
        , so it is not on the map. <Directions place={place} />
      </p>
    )
  return (
    <>
      {isHeldBack && (
        <p class="notice">
          The publisher’s list now puts this place off the island. The position here is the last good one.
        </p>
      )}
      <p class="place-actions">
        <Directions place={place} class="button" />
        <a class="button plain" href={to(`/map?place=${encodeURIComponent(placeKey(place))}`)}>
          Show on the map
        </a>
        <span class="muted">
          {place.latitude.toFixed(5)}, {place.longitude.toFixed(5)}
        </span>
      </p>
    </>
  )
}

function NoPlace({ dataset }: { readonly dataset: string }) {
  const kind = kindOf(dataset)
  return (
    <>
      <h1>There is no such place</h1>
      <p>No published place has this address. It may have been removed since the link was made.</p>
      <p>
        <a href={to(kind === undefined ? '/map' : `/map?dataset=${dataset}`)}>
          {kind === undefined ? 'All places on the map' : `All on the map: ${kind.many.toLowerCase()}`}
        </a>
      </p>
    </>
  )
}
