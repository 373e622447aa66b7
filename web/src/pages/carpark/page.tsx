import { isGone } from '../../live/freshness.ts'
import { useCurrent } from '../../live/use-current.ts'
import { declarePage, type LoadRequest, type ViewProps } from '../../page.ts'
import { briefly, loadCarParks } from '../../parking/load-counts.ts'
import { takeEvent } from '../../parking/row.ts'
import { StateLine } from '../../parking/state-line.tsx'
import { EmbedCode } from '../../parts/embed-code.tsx'
import { placePath, withoutCount } from '../../places/kinds.ts'
import { carpark as texts } from '../../texts/en/carpark.ts'
import { text } from '../../texts/text.ts'
import { type FoundPlace, loadNearby, loadPlace, type NoPlaceData } from '../place/load.ts'
import { PLACE_HEAD } from '../place/page.tsx'
import { PlaceView } from '../place/place-view.tsx'
import { LiveCount, LiveDay } from './live-section.tsx'
import { type LivePart, loadLive } from './load-live.ts'

/** A car park with its count; null without a live counter. */
type CarParkData = (FoundPlace & { readonly live: LivePart | null }) | NoPlaceData
type CountedData = FoundPlace & { readonly live: LivePart }

/** One car park: its free spaces, its day, the forecast, its facts and its neighbours. */
export const carpark = declarePage<CarParkData>({
  ...PLACE_HEAD,
  path: '/parking/:code',
  maxAge: 30,
  script: 'carpark',
  hydrated: true,
  load,
  description: data =>
    data.place !== null && data.live?.at
      ? text(texts.liveDescription, { name: data.place.name })
      : PLACE_HEAD.description(data),
  addresses: async get =>
    ((await loadCarParks(get)) ?? []).map(({ id, liveTrackingCode: code }) =>
      placePath({ dataset: 'carparks', id, code }),
    ),
  View,
})

async function load({ get, params: { code = '' } }: LoadRequest): Promise<CarParkData> {
  const data = await loadPlace(get, 'carparks', code)
  if (data.place === null) return data
  const { place, carPark } = data
  return { ...data, live: place.code ? await loadLive(get, place.code, carPark && briefly(carPark)) : null }
}

function View({ data, site }: ViewProps<CarParkData>) {
  const live = data.place === null ? null : data.live
  if (data.place !== null && live !== null && (live.at !== null || site.isCounting))
    return <CountedCarPark data={{ ...data, live }} site={site} />
  return (
    <PlaceView data={data} site={site}>
      <p class="notice">{texts.noCounter}</p>
    </PlaceView>
  )
}

function CountedCarPark({ data: initial, site }: ViewProps<CountedData>) {
  const { data, freshness, retry } = useCurrent<CountedData>({
    initial,
    async load(get, data) {
      const { code, carPark } = data.live.row
      const [live, nearby] = await Promise.all([loadLive(get, code, carPark), loadNearby(get, data.place)])
      if (live === null) throw new Error('it has no live counter any more')
      return { ...data, live, nearby }
    },
    take: ({ live, ...data }, event) => ({
      ...data,
      live: {
        ...live,
        row: takeEvent(live.row, event),
        at: live.row.count.spaces === null ? live.at : event.data.timestamp,
      },
    }),
    countedAt: ({ live }) => Date.parse(live.at ?? ''),
  })
  const nearby = isGone(freshness) ? data.nearby.map(withoutCount) : data.nearby
  return (
    <PlaceView
      data={{ ...data, nearby }}
      site={site}
      after={<LiveDay live={data.live} freshness={freshness} />}
      end={<EmbedCode path={`/embed${placePath(data.place)}`} title={data.place.name} height={420} />}
    >
      <LiveCount live={data.live} freshness={freshness} />
      <StateLine freshness={freshness} path={placePath(data.place)} retry={retry} />
    </PlaceView>
  )
}
