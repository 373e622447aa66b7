import { declarePage, type LoadRequest, to, type ViewProps } from '../../page.ts'
import { type Counts, loadCounts, loadOrigin } from '../../parking/load-counts.ts'
import { StateLine } from '../../parking/state-line.tsx'
import { useCounts } from '../../parking/use-counts.ts'
import { type Origin, OriginLine } from '../../parts/origin.tsx'
import { unmeasuredText } from '../../places/place-row.tsx'
import { dayAndTime } from '../../words/island-time.ts'
import { CarParkItem } from './car-park-item.tsx'
import { type Order, sortRows } from './order.ts'
import { loadParishes, loadPlace, type Parish, type SortedFrom } from './place.ts'
import { Sorting } from './sorting.tsx'

interface ParkingData {
  readonly counts: Counts
  readonly order: Order
  readonly place: SortedFrom | null
  readonly parishes: readonly Parish[]
  readonly origin: Origin | null
  /** Where the page is loaded again. */
  readonly path: string
}

/** Free spaces now in each car park of the live feed, and in an hour. */
export const parking = declarePage({
  path: '/parking',
  maxAge: 30,
  script: 'parking',
  load,
  title: () => 'Free parking spaces',
  description: ({ counts }) =>
    counts.at === null
      ? 'The free spaces of the car parks are not known at the moment.'
      : 'Free spaces now in each car park, how they change, and what to expect in an hour.',
  View,
})

async function load({ get, query, path }: LoadRequest): Promise<ParkingData> {
  const [counts, parishes, origin] = await Promise.all([loadCounts(get), loadParishes(get), loadOrigin(get)])
  const place = await loadPlace(get, query, parishes)
  const isNear = place !== null && place.fault === null
  const order = isNear ? 'near' : query.get('sort') === 'name' ? 'name' : 'free'
  const search = query.size === 0 ? '' : `?${query}`
  return { counts, order, place, parishes, origin, path: path + search }
}

function View({ data, site }: ViewProps<ParkingData>) {
  const current = useCounts(data.counts, loadCounts)
  const { freshness, retry } = current
  const { at, rows, unmatched, refusal } = current.data
  const { order, place, parishes, origin, path } = data
  const distances = place?.distances ?? {}
  return (
    <>
      <h1>Free parking spaces</h1>
      <StateLine freshness={freshness} path={path} retry={retry} />
      {at === null ? (
        <NoCounts refusal={refusal} isCounting={site.isCounting} />
      ) : (
        <section id="counts" aria-label="Car parks">
          <p class="counted">
            Counted on <time dateTime={at}>{dayAndTime(at)}</time>.
          </p>
          <Sorting order={order} place={place} parishes={parishes} />
          {order === 'near' && (
            <p class="facts">
              Distances are in a straight line from {place?.parish ? `the middle of ${place.parish}` : 'you'}.
              {unmeasuredText(
                rows.map(({ code }) => distances[code]),
                'car park',
              )}
            </p>
          )}
          <ol class="car-parks">
            {sortRows(rows, order, distances).map(row => (
              <CarParkItem key={row.code} {...{ row, at, freshness }} distance={distances[row.code]} />
            ))}
          </ol>
          {unmatched.length > 0 && (
            <p class="facts">
              The live feed also counts {unmatched.join(', ')}. No published car park has such a code, so the
              counts cannot be checked and are not shown.
            </p>
          )}
        </section>
      )}
      {at !== null && (
        <p class="facts">
          “In an hour” shows the spaces expected in an hour, and in brackets the range that four forecasts in
          five stay within. Each count comes from the live feed of the car parks and is checked against its
          own past: one that cannot be trusted is not shown.
        </p>
      )}
      <p>
        <a href={to('/map?dataset=carparks')}>All car parks on the map</a>
        {at !== null && (
          <>
            , including those without live counts ·{' '}
            <a href={to('/v1/carparks/live-spaces?include=quality')}>These counts as data</a>
          </>
        )}
      </p>
      <OriginLine origin={origin} />
    </>
  )
}

function NoCounts({
  refusal,
  isCounting,
}: {
  readonly refusal: string | null
  readonly isCounting: boolean
}) {
  return (
    <div class="notice">
      <p>
        {isCounting && <strong>No counts have been received yet.</strong>} {refusal}
      </p>
    </div>
  )
}
