import type { DatasetContext } from '../../datasets/dataset.ts'
import type { Router } from '../../http/routing/router.ts'
import type { FeedSite } from './feed-endpoint.ts'
import type { FeedLink } from './feed-link.ts'
import { feedOf, RELEASES_FEED } from './feed-links.ts'
import { addRecordsFeed } from './records-feed.ts'
import { addReleasesFeed } from './releases-feed.ts'

/** Adds all feeds: of the records that are news, and of the releases of all datasets. Returns what links to them. */
export function addFeeds(
  router: Router,
  contexts: readonly DatasetContext[],
  site: FeedSite,
): readonly FeedLink[] {
  for (const context of contexts) addRecordsFeed(router, context, site)
  addReleasesFeed(router, contexts, site)
  return [...contexts.flatMap(({ dataset }) => feedOf(dataset) ?? []), RELEASES_FEED]
}
