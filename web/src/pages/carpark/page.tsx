import { useCurrent } from '../../live/use-current.ts'
import { absolute, declarePage, type LoadRequest, to, type ViewProps } from '../../page.ts'
import { stayOf } from '../../parking/car-park-words.ts'
import { loadOrigin } from '../../parking/load-counts.ts'
import { takeEvent } from '../../parking/row.ts'
import { StateLine } from '../../parking/state-line.tsx'
import { type Origin, OriginLine } from '../../parts/origin.tsx'
import { carpark as texts } from '../../texts/en/carpark.ts'
import { link, rich, text } from '../../texts/rich.tsx'
import { carParkAddresses, carParkPath } from './addresses.ts'
import { Details } from './details.tsx'
import { LiveSection } from './live-section.tsx'
import { type Known, type LivePart, loadCarPark } from './load-car-park.ts'
import { parkingFacility } from './structured.ts'

interface CarParkData {
  /** The code in the address. */
  readonly code: string
  /** Null if there is no such car park. */
  readonly known: Known | null
  readonly origin: Origin | null
  readonly path: string
}

/** One car park: its free spaces, its day, the forecast and its facts. */
export const carpark = declarePage<CarParkData>({
  path: '/parking/:code',
  maxAge: 30,
  script: 'carpark',
  hydrated: true,
  load,
  title: ({ known }) => (known === null ? texts.notFound : known.name),
  description: ({ known }) =>
    known === null
      ? texts.notFoundDescription
      : text(known.live?.at ? texts.liveDescription : texts.description, { name: known.name }),
  canonical: ({ known }) => {
    const code = known?.carPark?.liveTrackingCode
    return code ? carParkPath(code) : undefined
  },
  status: ({ known }) => (known === null ? 404 : 200),
  addresses: carParkAddresses,
  structured: ({ known, path }) =>
    known === null || known.carPark === null
      ? { '@context': 'https://schema.org', '@type': 'WebPage', url: absolute(path) }
      : parkingFacility(known.carPark, absolute(path)),
  View,
})

async function load({ get, params, path }: LoadRequest): Promise<CarParkData> {
  const { code = '' } = params
  const [known, origin] = await Promise.all([loadCarPark(get, code), loadOrigin(get)])
  return { code, known, origin, path }
}

function View({ data: { known, code, origin, path }, site }: ViewProps<CarParkData>) {
  if (known === null) return <Unknown code={code} />
  const { name, carPark, live } = known
  const stay = carPark === null ? undefined : stayOf(carPark)
  return (
    <>
      {site.isCounting && (
        <p class="no-print">
          <a href={to('/parking')}>{texts.allCarParks}</a>
        </p>
      )}
      <h1>{name}</h1>
      {stay !== undefined && <p class="facts">{stay}</p>}
      {live === null || (live.at === null && !site.isCounting) ? (
        <p class="notice">{texts.noCounter}</p>
      ) : (
        <LiveCarPark live={live} code={code} path={path} />
      )}
      {carPark !== null && <Details carPark={carPark} />}
      <OriginLine origin={origin} />
    </>
  )
}

interface LiveCarParkProps {
  readonly live: LivePart
  readonly code: string
  readonly path: string
}

function LiveCarPark({ live, code, path }: LiveCarParkProps) {
  const { data, freshness, retry } = useCurrent<LivePart>({
    initial: live,
    async load(get) {
      const loaded = await loadCarPark(get, code)
      if (!loaded?.live) throw new Error('it has no live counter any more')
      return loaded.live
    },
    take: (known, event) => ({
      ...known,
      row: takeEvent(known.row, event),
      at: known.row.count.spaces === null ? known.at : event.data.timestamp,
    }),
    countedAt: ({ at }) => Date.parse(at ?? ''),
  })
  return (
    <>
      <StateLine freshness={freshness} path={path} retry={retry} />
      <LiveSection live={data} freshness={freshness} />
    </>
  )
}

function Unknown({ code }: { readonly code: string }) {
  return (
    <>
      <h1>{texts.notFound}</h1>
      <p>{text(texts.notFoundDetail, { code })}</p>
      <p>{rich(texts.elsewhere, { live: link('/parking'), map: link('/map?dataset=carparks') })}</p>
    </>
  )
}
