import type { components } from '../../../../client/src/schema.ts'
import type { GetJson } from '../../../../src/interfaces/web/explorer.ts'
import { type Counts, loadFreeNow } from '../../parking/load-counts.ts'

type Description = components['schemas']['DatasetDescription']

/** A dataset as the page shows it. */
export interface DatasetStatus
  extends Pick<Description, 'name' | 'title' | 'available' | 'records' | 'release' | 'updateFrequency'> {
  /** When its release became current; null before the first. */
  readonly updatedAt: string | null
  /** The last check that the source has the published data; null if no source is checked. */
  readonly checkedAt: string | null
  /** The checks of its source by day; empty if no source is checked. */
  readonly checks: Description['freshness']['sourceDays']
}

/** The number of counters of each quality. */
export interface FeedStatus {
  readonly observedAt: string
  readonly counters: Readonly<Record<string, number>>
  /** The names of the car parks by their codes. */
  readonly names: Readonly<Record<string, string>>
}

/** A release that was published, as the feed of releases has it. */
interface ReleaseStatus {
  readonly title: string
  readonly summary: string
  readonly date_published: string
  /** The dataset. */
  readonly tags: readonly string[]
}

export interface Status {
  readonly now: number
  readonly datasets: readonly DatasetStatus[]
  /** Undefined while there is no reading. */
  readonly feed: FeedStatus | undefined
  readonly releases: readonly ReleaseStatus[]
}

const SHOWN_RELEASES = 10

/** Gets the data of the page. */
export async function loadStatus(get: GetJson): Promise<Status> {
  const { results } = await get<{ results: readonly Pick<Description, 'name'>[] }>('/v1/datasets')
  const [datasets, feed, releases] = await Promise.all([
    Promise.all(results.map(({ name }) => get<Description>(`/v1/datasets/${name}`).then(datasetStatus))),
    loadFreeNow(get).then(feedStatus),
    get<{ items: readonly ReleaseStatus[] }>('/v1/releases/feed.json').then(({ items }) =>
      items.slice(0, SHOWN_RELEASES),
    ),
  ])
  return { now: Date.now(), datasets, feed, releases }
}

function datasetStatus({ freshness, ...description }: Description): DatasetStatus {
  const { name, title, available, records, release, updateFrequency, updatedAt } = description
  return {
    ...{ name, title, available, records, release, updateFrequency, updatedAt },
    ...{ checkedAt: freshness.sourceCheckedAt, checks: freshness.sourceDays },
  }
}

function feedStatus({ at, rows }: Counts): FeedStatus | undefined {
  if (at === null) return undefined
  const counters: Record<string, number> = {}
  for (const { count } of rows) counters[count.quality] = (counters[count.quality] ?? 0) + 1
  return { observedAt: at, counters, names: Object.fromEntries(rows.map(({ code, name }) => [code, name])) }
}
