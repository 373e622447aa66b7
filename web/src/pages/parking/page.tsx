import { declarePage, type LoadRequest, type ViewProps } from '../../page.ts'
import { CountedAt } from '../../parking/counted-at.tsx'
import { type Counts, loadCounts, loadOrigin, WAITS, type Wait } from '../../parking/load-counts.ts'
import type { Row } from '../../parking/row.ts'
import { StateLine } from '../../parking/state-line.tsx'
import { useCounts } from '../../parking/use-counts.ts'
import { EmbedCode } from '../../parts/embed-code.tsx'
import { type Origin, OriginLine } from '../../parts/origin.tsx'
import type { MapLabel } from '../../places/island-drawing.tsx'
import { isLocated } from '../../places/kinds.ts'
import { metresBetween } from '../../places/nearest-first.ts'
import { parking as texts } from '../../texts/en/parking.ts'
import { link, rich, text } from '../../texts/rich.tsx'
import { CarParkItem } from './car-park-item.tsx'
import { type Order, sortRows } from './order.ts'
import { loadParishes, readPlace, type SortedFrom } from './place.ts'
import { Sorting } from './sorting.tsx'

interface ParkingData {
  readonly counts: Counts
  readonly order: Order
  /** The minutes until people arrive. */
  readonly wait: Wait
  readonly place: SortedFrom | null
  readonly parishes: readonly MapLabel[]
  readonly origin: Origin | null
  /** The path that loads the page again. */
  readonly path: string
}

/** Free spaces now in each car park of the live feed, and in an hour. */
export const parking = declarePage({
  path: '/parking',
  maxAge: 30,
  script: 'parking',
  hydrated: true,
  load,
  title: () => texts.title,
  description: ({ counts }) => (counts.at === null ? texts.descriptionWithoutCounts : texts.description),
  View,
})

const SORTS = ['chance', 'name'] as const

async function load({ get, query, path }: LoadRequest): Promise<ParkingData> {
  const wait = WAITS.find(each => String(each) === query.get('minutes')) ?? 60
  const [counts, parishes, origin] = await Promise.all([
    loadCounts(get, wait),
    loadParishes(get),
    loadOrigin(get),
  ])
  const place = readPlace(query, parishes)
  const order = place?.here ? 'near' : (SORTS.find(each => each === query.get('sort')) ?? 'free')
  const search = query.size === 0 ? '' : `?${query}`
  return { counts, order, wait, place, parishes, origin, path: path + search }
}

function View({ data, site }: ViewProps<ParkingData>) {
  const current = useCounts(data.counts, get => loadCounts(get, data.wait))
  const { freshness, retry } = current
  const { at, rows, unmatched, refusal } = current.data
  const { order, wait, place, parishes, origin, path } = data
  const distanceOf = ({ carPark }: Row) =>
    place?.here && carPark && isLocated(carPark) ? metresBetween(carPark, place.here) : undefined
  const unmeasured = rows.filter(row => distanceOf(row) === undefined).length
  return (
    <>
      <h1>{texts.title}</h1>
      <StateLine freshness={freshness} path={path} retry={retry} />
      {at === null ? (
        <p class="notice">
          {site.isCounting && <strong>{texts.noCounts}</strong>} {refusal}
        </p>
      ) : (
        <section id="counts" aria-label={texts.carParks}>
          <p class="counted">
            <CountedAt at={at} />
          </p>
          <Sorting {...{ order, wait, place, parishes }} />
          {order === 'near' && (
            <p class="facts">
              {place?.parish ? text(texts.fromParish, { parish: place.parish }) : texts.fromYou}
              {unmeasured > 0 && ` ${text(texts.unmeasured, { count: unmeasured })}`}
            </p>
          )}
          <ol class="car-parks">
            {sortRows(rows, order, distanceOf).map(row => (
              <CarParkItem key={row.code} {...{ row, at, freshness }} distance={distanceOf(row)} />
            ))}
          </ol>
          {unmatched.length > 0 && (
            <p class="facts">
              {text(texts.unmatched, { names: unmatched.join(', '), count: unmatched.length })}
            </p>
          )}
        </section>
      )}
      {at !== null && <p class="facts">{texts.explanation}</p>}
      <p>
        {at === null
          ? rich(texts.onMap, { link: link('/map?dataset=carparks') })
          : rich(texts.onMapAndAsData, {
              link: link('/map?dataset=carparks'),
              data: link('/v1/carparks/live-spaces?include=quality'),
            })}
      </p>
      {site.isCounting && <EmbedCode path="/embed/parking" title={texts.title} height={650} />}
      <OriginLine origin={origin} />
    </>
  )
}
