import type { components } from '../../../../client/src/schema.ts'
import type { ApiError, GetJson } from '../../../../src/interfaces/web/explorer.ts'

type Description = components['schemas']['DatasetDescription']
type LiveSpace = components['schemas']['LiveSpace']

/** A dataset as the page shows it. */
export interface DatasetStatus
  extends Pick<Description, 'name' | 'title' | 'available' | 'records' | 'release' | 'updateFrequency'> {
  /** When its release became current; null before the first. */
  readonly updatedAt: string | null
  /** When its source last gave what is published; null where none is followed. */
  readonly checkedAt: string | null
}

/** The counters of the car parks, as many as there are of each quality. */
export interface FeedStatus {
  readonly observedAt: string
  readonly counters: Readonly<Record<string, number>>
}

/** A release that was published. */
export interface ReleaseStatus {
  readonly title: string
  readonly summary: string
  readonly publishedAt: string
  readonly dataset: string
}

export interface Status {
  readonly now: number
  readonly datasets: readonly DatasetStatus[]
  /** Undefined while there is no reading. */
  readonly feed: FeedStatus | undefined
  readonly releases: readonly ReleaseStatus[]
}

const SHOWN_RELEASES = 10

/** Gets all that the page of the state shows. */
export async function loadStatus(get: GetJson): Promise<Status> {
  const { results } = await get<{ results: readonly Pick<Description, 'details'>[] }>('/v1/datasets')
  const [datasets, feed, releases] = await Promise.all([
    Promise.all(results.map(({ details }) => get<Description>(details).then(datasetStatus))),
    get<{ timestamp: string; results: readonly LiveSpace[]; missing?: readonly unknown[] }>(
      '/v1/carparks/live-spaces?include=quality',
    ).then(feedStatus, noReading),
    get<{ items: readonly FeedItem[] }>('/v1/releases/feed.json').then(({ items }) =>
      items.slice(0, SHOWN_RELEASES).map(releaseStatus),
    ),
  ])
  return { now: Date.now(), datasets, feed, releases }
}

function datasetStatus({ freshness, ...description }: Description): DatasetStatus {
  const { name, title, available, records, release, updateFrequency, updatedAt } = description
  return {
    ...{ name, title, available, records, release, updateFrequency, updatedAt },
    checkedAt: freshness?.sourceCheckedAt ?? null,
  }
}

function feedStatus({
  timestamp,
  results,
  missing = [],
}: {
  readonly timestamp: string
  readonly results: readonly LiveSpace[]
  readonly missing?: readonly unknown[]
}): FeedStatus {
  const counters: Record<string, number> = {}
  // The feed's test entries are no car parks.
  for (const { quality = 'good', reason } of results)
    if (reason !== 'no-car-park-record') counters[quality] = (counters[quality] ?? 0) + 1
  if (missing.length > 0) counters.missing = (counters.missing ?? 0) + missing.length
  return { observedAt: timestamp, counters }
}

/** Without a reading the service answers with a problem; without a service there is nothing to show. */
function noReading(error: ApiError): undefined {
  if (error.problem === undefined) throw error
}

interface FeedItem {
  readonly title: string
  readonly summary: string
  readonly date_published: string
  readonly tags: readonly string[]
}

const releaseStatus = ({ title, summary, date_published, tags }: FeedItem): ReleaseStatus => ({
  ...{ title, summary, publishedAt: date_published, dataset: tags[0] ?? '' },
})
