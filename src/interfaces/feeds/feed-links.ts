import type { Dataset } from '../../datasets/dataset.ts'
import type { FeedLink } from '../web/explorer.ts'
import { ATOM_TYPE, JSON_FEED_TYPE } from './feed-formats.ts'

export const RELEASES_FEED: FeedLink = { title: 'Releases of all datasets', path: '/v1/releases/feed' }

/** The feed of a dataset's records, if they are news. */
export const feedOf = ({ news, title, path }: Dataset): FeedLink | undefined =>
  news && { title, path: `${path}/feed` }

/** The addresses of a feed with their media types. */
const feedTargets = ({ path }: FeedLink): { href: string; type: string }[] => [
  { href: `${path}.atom`, type: ATOM_TYPE },
  { href: `${path}.json`, type: JSON_FEED_TYPE },
]

/** The feed in a Link header (RFC 8288), relative to the host. */
export const feedHeader = (feed: FeedLink, address: (path: string) => string): string =>
  feedTargets(feed)
    .map(({ href, type }) => `<${address(href)}>; rel="alternate"; type="${type}"`)
    .join(', ')
