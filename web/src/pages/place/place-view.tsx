import type { ComponentChildren } from 'preact'
import { dataLanguage } from '../../address.ts'
import { to, type ViewProps } from '../../page.ts'
import { Fact } from '../../parts/fact.tsx'
import { OriginLine } from '../../parts/origin.tsx'
import { WithPhoneLinks } from '../../parts/phone-links.tsx'
import { ReportMistake } from '../../parts/report-mistake.tsx'
import { Directions } from '../../places/directions.tsx'
import { IslandDrawing, MapAttribution } from '../../places/island-drawing.tsx'
import { isLocated, kindOf, type Place, placeKey, placePath } from '../../places/kinds.ts'
import { PlaceSymbols } from '../../places/place-icons.tsx'
import { PlaceRows } from '../../places/place-row.tsx'
import { carpark } from '../../texts/en/carpark.ts'
import { place as texts } from '../../texts/en/place.ts'
import { anchor, link, rich, text } from '../../texts/rich.tsx'
import { dateOf } from '../../words/island-time.ts'
import { ALTERNATIVES } from '../../words/lists.ts'
import { distanceText } from '../../words/numbers.ts'
import type { FoundPlace, NoPlaceData, PlaceData } from './load.ts'

interface PlaceViewProps extends ViewProps<PlaceData> {
  /** The count of a car park. */
  readonly children?: ComponentChildren
  /** The forecast and the day of a car park, after the way there. */
  readonly after?: ComponentChildren
  readonly end?: ComponentChildren
}

/** The page of a place: the way there, the facts, and the neighbours. */
export function PlaceView({ data, site, children, after, end }: PlaceViewProps) {
  if (data.place === null) return <NoPlace data={data} site={site} />
  const { place, facts, nearby, origin, isHeldBack, reasons } = data
  const kind = kindOf(place.dataset)
  return (
    <article class="place">
      <PlaceSymbols />
      <p class="place-kind no-print">
        {place.dataset === 'carparks' && site.isCounting ? (
          <a href={to('/parking')}>{carpark.allCarParks}</a>
        ) : (
          <a href={to(`/map?dataset=${place.dataset}`)}>{kind?.many}</a>
        )}
      </p>
      <h1 lang={dataLanguage}>{place.name}</h1>
      <p class="place-lead">{nameOf(place)}</p>
      {place.dataset === 'defibrillators' && !site.synthetic && (
        <p class="notice">
          {rich(texts.emergency, {
            numbers: ALTERNATIVES.format(site.island.emergencyNumbers),
            call: anchor(`tel:${site.island.emergencyNumbers[0]}`),
          })}
        </p>
      )}
      {children}
      <Position place={place} isHeldBack={isHeldBack} />
      {reasons.map(why => (
        <p key={why}>{rich(texts.corrected, { why: <span lang={dataLanguage}>{why}</span> })}</p>
      ))}
      {after}
      <div class="place-columns">
        <dl class="facts-list">
          {facts.map(([term, text]) => (
            <Fact key={term} name={term}>
              {text}
            </Fact>
          ))}
          <Fact name={texts.notes}>
            {place.notes && (
              <span lang={dataLanguage}>
                <WithPhoneLinks text={place.notes} />
              </span>
            )}
          </Fact>
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
          <PlaceRows places={nearby} withKind={false} />
        </section>
      )}
      <ReportMistake site={site} name={place.name} path={placePath(place)} />
      {end}
      <About place={place} origin={origin} />
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
        <a class="button plain" href={to(`/map?place=${placeKey(place)}`)}>
          {texts.showOnMap}
        </a>
        <span class="muted">
          {place.latitude.toFixed(5)}, {place.longitude.toFixed(5)}
        </span>
      </p>
    </>
  )
}

/** The publisher, the licence and the date of the data. */
function About({ place, origin }: Pick<FoundPlace, 'place' | 'origin'>) {
  const { updatedAt, title } = origin
  return (
    <footer class="place-origin">
      <h2>{texts.about}</h2>
      <p>
        {rich(texts.from, { title, dataset: link(`/data/${place.dataset}`) })}{' '}
        {updatedAt !== null && text(texts.released, { date: dateOf(updatedAt) })}
      </p>
      <OriginLine origin={origin} />
      <p>
        <a href={to(place.path)}>{texts.asJson}</a>
      </p>
    </footer>
  )
}

function NoPlace({ data, site }: ViewProps<NoPlaceData>) {
  const { dataset, removed } = data
  const kind = kindOf(dataset)
  return (
    <>
      <h1>{removed?.name ?? notFoundTitle(dataset)}</h1>
      <p>{absenceOf(data)}</p>
      {removed !== undefined && removed.nearest.length > 0 && (
        <>
          <h2>{texts.nearestListed}</h2>
          <ul>
            {removed.nearest.map(place => (
              <li key={place.id}>
                <a href={to(placePath(place))}>{place.name}</a> · {distanceText(place.distanceMetres)}
              </li>
            ))}
          </ul>
        </>
      )}
      {dataset === 'carparks' && site.isCounting && (
        <p>
          <a href={to('/parking')}>{carpark.allCarParks}</a>
        </p>
      )}
      <p>
        <a href={to(kind === undefined ? '/map' : `/map?dataset=${dataset}`)}>
          {kind === undefined ? texts.allOnMap : text(texts.allOfKind, { kinds: kind.many })}
        </a>
      </p>
    </>
  )
}

/** The kind of a place with its parish, such as `Public toilet in St. Anne`. */
export function nameOf({ dataset, parish }: Place): string {
  const kind = kindOf(dataset)?.one ?? texts.place
  return parish === null ? kind : text(texts.kindIn, { kind, parish })
}

/** The title of an address without a place. */
export const notFoundTitle = (dataset: string): string =>
  dataset === 'carparks' ? carpark.notFound : texts.notFound

/** Says whether a place has left its list or never was there. */
export const absenceOf = ({ dataset, removed }: NoPlaceData): string =>
  removed === undefined
    ? texts.notFoundDetail
    : text(texts.removed, { kind: kindOf(dataset)?.one ?? texts.place, date: dateOf(removed.removedAt) })
