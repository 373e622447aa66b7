import type { Dataset, DatasetContext, News, NewsDeclaration } from '../../datasets/dataset.ts'
import { describeOrigin, originOf } from '../../datasets/origin.ts'
import { describeRelease } from '../../datasets/release-representation.ts'
import type { Router } from '../../http/routing/router.ts'
import type { StoredRecord } from '../../query/query.ts'
import { storedKey } from '../../releases/import/identity.ts'
import { DamagedReleaseError, type Release } from '../../store/store.ts'
import { addressOf } from '../../values/addresses/address-of.ts'
import { type Html, html } from '../../values/html.ts'
import { NEWS_MAX_AGE_S } from '../changes/changes-route.ts'
import { entryId } from './entry-id.ts'
import type { FeedEntry } from './feed.ts'
import { addFeedEndpoint, type FeedSite, feedAddresses } from './feed-endpoint.ts'
import { feedOf } from './feed-links.ts'

/** The newest records that a feed tells of. */
const MOST_ENTRIES = 100

/** Adds the feed of a dataset whose records are news. */
export function addRecordsFeed(router: Router, context: DatasetContext, site: FeedSite): void {
  const { dataset } = context
  const { name, title, description, news } = dataset
  const link = feedOf(dataset)
  if (news === undefined || link === undefined) return
  addFeedEndpoint(router, {
    path: link.path,
    operationId: news.operationId,
    tag: name,
    summary: news.summary,
    cacheVersion: context.release,
    respond(format) {
      const { release, collection } = context.snapshot()
      const base = site.baseUrl()
      const origin = originOf(site.metadata, release)
      const key = JSON.stringify([link.path, format, base, origin])
      return {
        ...describeRelease(release, NEWS_MAX_AGE_S, key),
        async make() {
          const sort = [{ field: news.date, direction: 'descending' }] as const
          const { batches } = await collection.execute({ sort, limit: MOST_ENTRIES })
          const changed = await changeTimes(context, release)
          const entries: FeedEntry[] = []
          for await (const batch of batches())
            for (const record of batch.records())
              entries.push(entryOf(record, { dataset, news, release, changed, base }))
          return {
            id: entryId(name),
            title: marked(title, release),
            description,
            home: addressOf(base, news.page),
            self: feedAddresses(base, link.path),
            updated: new Date(release.currentSince ?? release.publishedAt),
            author: origin.publisher ?? site.metadata.title,
            rights: describeOrigin(origin),
            entries,
          }
        },
      }
    },
  })
}

/** When records last changed in one of the releases that are kept, up to the one that is served, by their keys. */
async function changeTimes({ past }: DatasetContext, served: Release): Promise<ReadonlyMap<string, Date>> {
  const releases = (await past.kept()).filter(({ number }) => number <= served.number).reverse()
  const times = new Map<string, Date>()
  for (const [index, to] of releases.entries()) {
    const from = releases[index - 1]
    if (from === undefined) continue
    const comparing = past.compare({ from, to }, async differences => {
      for await (const { key } of differences.changed()) times.set(key, new Date(to.publishedAt))
    })
    // What cannot be read of the past leaves a change unknown.
    await comparing.catch((error: unknown) => {
      if (!(error instanceof DamagedReleaseError)) throw error
    })
  }
  return times
}

/** In a feed reader nothing but the title can tell that a piece of news is invented. */
export const marked = (title: string, { synthetic }: Pick<Release, 'synthetic'>): string =>
  synthetic ? `[Invented] ${title}` : title

interface Context {
  readonly dataset: Dataset
  readonly news: NewsDeclaration
  readonly release: Release
  readonly changed: ReadonlyMap<string, Date>
  readonly base: string
}

function entryOf(record: StoredRecord, { dataset, news, release, changed, base }: Context): FeedEntry {
  const key = storedKey(dataset)(record)
  const published = new Date(String(record[news.date]))
  const { title, summary, url, image, tags, facts, html } = news.describe(record)
  const about = { summary, image, facts: facts.filter(([, value]) => value !== ''), html }
  return {
    id: entryId(dataset.name, key),
    title: marked(title, release),
    url: url || addressOf(base, `${dataset.path}/${encodeURIComponent(key)}`),
    published,
    updated: changed.get(key) ?? published,
    ...{ summary, tags },
    ...(image !== '' && { image }),
    html: contentOf(about).safe,
  }
}

function contentOf({ summary, image, facts, html: more }: Omit<News, 'title' | 'url' | 'tags'>): Html {
  const picture = image === '' ? html`` : html`<p><img src="${image}" alt=""></p>`
  const listed = facts.map(([label, value]) => html`<li>${label}: ${value}</li>`)
  const list = facts.length === 0 ? html`` : html`<ul>${listed}</ul>`
  return html`<p><strong>${summary}</strong></p>${picture}${list}${{ safe: more }}`
}
