import { ISLAND } from '../../../../src/island/island.ts'
import { declarePage, to, type ViewProps } from '../../page.ts'
import { Fact } from '../../parts/fact.tsx'
import { WithPhoneLinks } from '../../parts/phone-links.tsx'
import { Directions } from '../../places/directions.tsx'
import { IslandDrawing, MapAttribution } from '../../places/island-drawing.tsx'
import { isLocated, kindOf, type Place, placeKey, placePath } from '../../places/kinds.ts'
import { PlaceSymbols } from '../../places/place-icons.tsx'
import { PlaceRow } from '../../places/place-row.tsx'
import { place as texts } from '../../texts/en/place.ts'
import { anchor, rich, text } from '../../texts/rich.tsx'
import { dateOf } from '../../words/island-time.ts'
import { ALTERNATIVES } from '../../words/lists.ts'
import { distanceText } from '../../words/numbers.ts'
import { placeAddresses } from './addresses.ts'
import { loadPlace, type PlaceData } from './load.ts'
import { OriginOf } from './origin.tsx'
import { structuredPlace } from './structured.ts'

/** A page for each toilet, defibrillator, recycling centre and car park. */
export const place = declarePage<PlaceData>({
  path: '/places/:dataset/:id',
  maxAge: 600,
  script: 'place',
  hydrated: true,
  load: loadPlace,
  title: data =>
    data.place === null
      ? (data.removed?.name ?? texts.notFound)
      : text(texts.title, { name: data.place.name, kind: nameOf(data.place) }),
  description: data =>
    data.place === null
      ? absenceOf(data)
      : [nameOf(data.place), ...data.facts.map(fact => fact.join(': '))].join('. '),
  canonical: ({ place }) => (place === null ? undefined : placePath(place)),
  status: data => (data.place !== null ? 200 : data.removed === undefined ? 404 : 410),
  structured: structuredPlace,
  addresses: placeAddresses,
  View,
})

function nameOf({ dataset, parish }: Place): string {
  const kind = kindOf(dataset)?.one ?? texts.place
  return parish === null ? kind : text(texts.kindIn, { kind, parish })
}

function View({ data, site }: ViewProps<PlaceData>) {
  if (data.place === null) return <NoPlace {...data} />
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
          {rich(texts.emergency, {
            numbers: ALTERNATIVES.format(ISLAND.emergencyNumbers),
            call: anchor(`tel:${ISLAND.emergencyNumbers[0]}`),
          })}
        </p>
      )}
      <Position place={place} isHeldBack={isHeldBack} />
      {trackingCode !== null && site.isCounting && (
        <p>
          <a href={to(`/parking/${encodeURIComponent(trackingCode)}`)}>{texts.freeNow}</a>
        </p>
      )}
      <div class="place-columns">
        <dl class="facts-list">
          {facts.map(([term, text]) => (
            <Fact key={term} name={term}>
              {text}
            </Fact>
          ))}
          <Fact name={texts.notes}>{notes && <WithPhoneLinks text={notes} />}</Fact>
        </dl>
        {isLocated(place) && (
          <figure class="place-map">
            <IslandDrawing label={text(texts.drawing, { name: place.name })} places={[place]} />
            <MapAttribution />
          </figure>
        )}
      </div>
      {nearby.length > 0 && (
        <section>
          <h2>{text(texts.nearby, { kinds: kind?.many ?? texts.place })}</h2>
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
        {rich(isHeldBack ? texts.offIsland : texts.locationUnknown, {
          directions: <Directions place={place} />,
        })}
      </p>
    )
  return (
    <>
      {isHeldBack && <p class="notice">{texts.movedOffIsland}</p>}
      <p class="place-actions">
        <Directions place={place} class="button" />
        <a class="button plain" href={to(`/map?place=${encodeURIComponent(placeKey(place))}`)}>
          {texts.showOnMap}
        </a>
        <span class="muted">
          {place.latitude.toFixed(5)}, {place.longitude.toFixed(5)}
        </span>
      </p>
    </>
  )
}

/** Says whether a place has left its list or never was there. */
const absenceOf = ({
  dataset,
  removed,
}: Pick<PlaceData & { readonly place: null }, 'dataset' | 'removed'>) =>
  removed === undefined
    ? texts.notFoundDetail
    : text(texts.removed, { kind: kindOf(dataset)?.one ?? texts.place, date: dateOf(removed.removedAt) })

function NoPlace({ dataset, removed }: PlaceData & { readonly place: null }) {
  const kind = kindOf(dataset)
  return (
    <>
      <h1>{removed?.name ?? texts.notFound}</h1>
      <p>{absenceOf({ dataset, removed })}</p>
      {removed !== undefined && removed.nearest.length > 0 && (
        <>
          <h2>{texts.nearestListed}</h2>
          <ul>
            {removed.nearest.map(({ id, name, distanceMetres }) => (
              <li key={id}>
                <a href={to(placePath({ dataset, id }))}>{name}</a> · {distanceText(distanceMetres)}
              </li>
            ))}
          </ul>
        </>
      )}
      <p>
        <a href={to(kind === undefined ? '/map' : `/map?dataset=${dataset}`)}>
          {kind === undefined ? texts.allOnMap : text(texts.allOfKind, { kinds: kind.many })}
        </a>
      </p>
    </>
  )
}
