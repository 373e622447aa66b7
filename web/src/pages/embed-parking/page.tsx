import { declarePage, type LoadRequest, type ViewProps } from '../../page.ts'
import { CountedAt } from '../../parking/counted-at.tsx'
import { type Counts, loadCounts, loadOrigin } from '../../parking/load-counts.ts'
import { isSameCode } from '../../parking/row.ts'
import { StateLine } from '../../parking/state-line.tsx'
import { useCounts } from '../../parking/use-counts.ts'
import { type Origin, OriginLine } from '../../parts/origin.tsx'
import { embed } from '../../texts/en/embed.ts'
import { parking as texts } from '../../texts/en/parking.ts'
import { link, rich } from '../../texts/rich.tsx'
import { CarParkItem } from '../parking/car-park-item.tsx'
import { sortRows } from '../parking/order.ts'

interface EmbeddedParking {
  /** The code of the one car park; absent for all. */
  readonly code?: string | undefined
  readonly counts: Counts
  readonly origin: Origin | null
}

const isNotFound = (code: string | undefined, { at, rows }: Counts) =>
  code !== undefined && at !== null && rows.length === 0

/** The free spaces now of all car parks, for a frame of another site. */
export const embeddedParking = declarePage<EmbeddedParking>({
  path: '/embed/parking',
  maxAge: 30,
  script: 'embed-parking',
  hydrated: true,
  async load({ get, params: { code } }) {
    const [counts, origin] = await Promise.all([loadShown(get, code), loadOrigin(get)])
    return { code, counts, origin }
  },
  title: () => texts.title,
  description: () => texts.description,
  status: ({ code, counts }) => (isNotFound(code, counts) ? 404 : 200),
  View,
})

/** The same of one car park. */
export const embeddedCarPark = { ...embeddedParking, path: '/embed/parking/:code' }

async function loadShown(get: LoadRequest['get'], code: string | undefined) {
  if (code === undefined) return loadCounts(get)
  const counts = await loadCounts(get, 60)
  return { ...counts, rows: counts.rows.filter(row => isSameCode(row.code, code)) }
}

function View({ data: { code, counts, origin }, site }: ViewProps<EmbeddedParking>) {
  const { data, freshness, retry } = useCounts(counts, get => loadShown(get, code))
  const { at, rows, refusal } = data
  return (
    <>
      <h1>{texts.title}</h1>
      {at === null && (
        <p class="notice">
          {site.isCounting && <strong>{texts.noCounts}</strong>} {refusal}
        </p>
      )}
      {isNotFound(code, data) && <p>{rich(embed.noCarPark, { link: link('/parking') })}</p>}
      {at !== null && rows.length > 0 && (
        <>
          <p class="counted">
            <CountedAt at={at} />
          </p>
          <ol class="car-parks">
            {sortRows(rows, 'free', () => undefined).map(row => (
              <CarParkItem key={row.code} {...{ row, at, freshness }} isBrief={code === undefined} />
            ))}
          </ol>
          <StateLine freshness={freshness} path="/parking" retry={retry} />
        </>
      )}
      <OriginLine origin={origin} />
    </>
  )
}
