import type { Dataset } from '../../datasets/dataset.ts'
import type { FeedLink } from '../web/explorer.ts'
import { ATOM_TYPE, JSON_FEED_TYPE } from './feed-formats.ts'

export const RELEASES_FEED: FeedLink = { title: 'Releases of all datasets', path: '/v1/releases/feed' }

/** The feed of a dataset's records, if they are news. */
export const feedOf = ({ news, title, path }: Dataset): FeedLink | undefined =>
  news && { title, path: `${path}/feed` }

const SUFFIXES = { atom: ATOM_TYPE, json: JSON_FEED_TYPE }

/** The feed in a Link header (RFC 8288), relative to the host. */
export const feedHeader = ({ path }: FeedLink, address: (path: string) => string): string =>
  Object.entries(SUFFIXES)
    .map(([suffix, type]) => `<${address(`${path}.${suffix}`)}>; rel="alternate"; type="${type}"`)
    .join(', ')
