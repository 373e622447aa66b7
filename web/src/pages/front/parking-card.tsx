import { dataLanguage, to } from '../../address.ts'
import { isGone } from '../../live/freshness.ts'
import { CountedAt } from '../../parking/counted-at.tsx'
import { FreeSpaces } from '../../parking/free-spaces.tsx'
import { type Counts, loadCounts } from '../../parking/load-counts.ts'
import { StateLine } from '../../parking/state-line.tsx'
import { useCounts } from '../../parking/use-counts.ts'
import { Card } from '../../parts/card.tsx'
import { front } from '../../texts/en/front.ts'

const SHOWN = 3

/** The link to the car parks, and the car parks with most free spaces now. */
export function ParkingCard({ initial }: { readonly initial: Counts }) {
  const { data, freshness, retry } = useCounts(initial, get => loadCounts(get))
  const { at, rows } = data
  const most = rows
    .filter(({ count }) => count.quality === 'good')
    .sort((one, other) => (other.count.spaces ?? 0) - (one.count.spaces ?? 0))
    .slice(0, SHOWN)
  return (
    <Card path="/parking" title={front.parking}>
      {at === null || most.length === 0 || isGone(freshness) ? (
        <p>{front.parkingDetail}</p>
      ) : (
        <>
          <ul class="most-free">
            {most.map(row => (
              <li key={row.code}>
                <a href={to(`/parking/${encodeURIComponent(row.code)}`)} lang={dataLanguage}>
                  {row.name}
                </a>
                <FreeSpaces row={row} freshness={freshness} at={at} />
              </li>
            ))}
          </ul>
          <p class="facts">
            <CountedAt at={at} /> <a href={to('/parking')}>{front.allCarParks}</a>
          </p>
        </>
      )}
      {freshness.state === 'old' && <StateLine freshness={freshness} path="/" retry={retry} />}
    </Card>
  )
}
