import type { components } from '../../../../client/src/schema.ts'
import type { GetJson } from '../../../../src/interfaces/web/explorer.ts'
import { type Counts, loadCounts } from '../../parking/load-counts.ts'
import { meaningOf } from '../../texts/meaning.ts'

type Schemas = components['schemas']
type Description = Schemas['DatasetDescription']

export type Status = Awaited<ReturnType<typeof loadStatus>>
export type DatasetStatus = Status['datasets'][number]
export type FeedStatus = NonNullable<Status['feed']>

const SHOWN_RELEASES = 10

/** Gets the data of the page. */
export async function loadStatus(get: GetJson) {
  const { results } = await get<{ results: readonly Pick<Description, 'name'>[] }>('/v1/datasets')
  const [datasets, feed, releases] = await Promise.all([
    Promise.all(results.map(({ name }) => get<Description>(`/v1/datasets/${name}`).then(datasetStatus))),
    loadCounts(get).then(feedStatus),
    get<Schemas['JsonFeed']>('/v1/releases/feed.json').then(({ items }) => items.slice(0, SHOWN_RELEASES)),
  ])
  return { now: Date.now(), datasets, feed, releases }
}

/** The parts of a description that the page shows. */
function datasetStatus({ freshness, ...description }: Description) {
  const { name, title, available, records, release, updateFrequency, updatedAt } = description
  return {
    ...{ name, title: meaningOf(title), available, records, release, updateFrequency, updatedAt },
    ...{ checkedAt: freshness.sourceCheckedAt, checks: freshness.sourceDays },
  }
}

/** The number of counters of each quality, and the names of the car parks by their codes; undefined while there is no reading. */
function feedStatus({ at, rows }: Counts) {
  if (at === null) return undefined
  const counters: Record<string, number> = {}
  for (const { count } of rows) counters[count.quality] = (counters[count.quality] ?? 0) + 1
  const names = Object.fromEntries(rows.map(({ code, name }) => [code, name]))
  return { observedAt: at, counters, names }
}
