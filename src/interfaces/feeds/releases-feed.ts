import type { Dataset, DatasetContext } from '../../datasets/dataset.ts'
import type { Representation } from '../../http/response/representation.ts'
import type { Router } from '../../http/routing/router.ts'
import type { Release } from '../../store/store.ts'
import { addressOf } from '../../values/addresses/address-of.ts'
import { counted, figure } from '../../values/numbers.ts'
import { DAY_S } from '../../values/time-units.ts'
import { NEWS_MAX_AGE_S } from '../changes/changes-route.ts'
import { entryId } from './entry-id.ts'
import type { FeedEntry } from './feed.ts'
import { addFeedEndpoint, type FeedSite, feedAddresses } from './feed-endpoint.ts'
import { RELEASES_FEED } from './feed-links.ts'
import { marked } from './records-feed.ts'

/** Adds the feed of the releases of all datasets: an entry each, with what it changed. */
export function addReleasesFeed(router: Router, contexts: readonly DatasetContext[], site: FeedSite): void {
  const { path, title } = RELEASES_FEED
  addFeedEndpoint(router, {
    path,
    operationId: 'feedOfReleases',
    tag: 'catalogue',
    summary: 'The releases of all datasets as a feed, newest first',
    respond: () => ({
      ...aboutAll(contexts),
      async make() {
        const base = site.baseUrl()
        const entries = await Promise.all(contexts.map(context => entriesOf(context, base)))
        return {
          id: entryId('releases'),
          title,
          description: 'What is published: an entry for each release, with the number of changed records.',
          home: addressOf(base, '/data'),
          self: feedAddresses(base, path),
          updated: aboutAll(contexts).lastModified,
          author: site.metadata.title,
          entries: entries.flat().sort((one, other) => other.published.getTime() - one.published.getTime()),
        }
      },
    }),
  })
}

/** Without a tag: another instance may have read the lists before the next release was published. */
function aboutAll(contexts: readonly DatasetContext[]): Omit<Representation, 'body'> {
  const served = contexts.flatMap(({ release }) => release() ?? [])
  const updates = served.map(({ currentSince, publishedAt }) => Date.parse(currentSince ?? publishedAt))
  return {
    lastModified: new Date(Math.max(0, ...updates)),
    maxAge: NEWS_MAX_AGE_S,
    staleIfError: DAY_S,
    synthetic: served.some(({ synthetic }) => synthetic),
  }
}

async function entriesOf({ dataset, past, release: served }: DatasetContext, base: string) {
  const kept = await past.kept()
  return kept.map((release, index) => {
    const before = kept[index + 1]
    const about =
      before === undefined
        ? `/v1/datasets/${dataset.name}/releases`
        : `${dataset.path}/changes?since=${before.number}`
    return entryOf(release, dataset, served(), addressOf(base, about))
  })
}

function entryOf(release: Release, dataset: Dataset, served: Release | undefined, url: string): FeedEntry {
  const { number, hash, rows, publishedAt, changes } = release
  const published = new Date(publishedAt)
  const { added, changed, removed } = changes
  const counts = `${counted(rows, 'record')}: ${figure(added)} added, ${figure(changed)} changed, ${figure(removed)} removed.`
  const isWithdrawn = served !== undefined && served.number < number
  return {
    id: entryId('releases', dataset.name, String(number), hash),
    title: marked(`${dataset.title}: release ${number}`, release),
    ...{ url, published },
    updated: isWithdrawn ? new Date(served.currentSince ?? publishedAt) : published,
    summary: isWithdrawn ? `${counts} Withdrawn: release ${served.number} is served instead.` : counts,
    tags: [dataset.name],
  }
}
