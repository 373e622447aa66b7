import type { FeedLink } from '../../../src/interfaces/web/explorer.ts'
import { parts } from '../texts/en/parts.ts'
import { link, rich } from '../texts/rich.tsx'

/** Links to a feed for feed readers. */
export function FeedLinks({ feed: { path } }: { readonly feed: FeedLink }) {
  return <>{rich(parts.feeds, { atom: link(`${path}.atom`), json: link(`${path}.json`) })}</>
}
