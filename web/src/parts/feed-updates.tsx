import type { FeedLink } from '../../../src/interfaces/web/explorer.ts'
import { parts } from '../texts/en/parts.ts'
import { link, rich } from '../texts/rich.tsx'

/** Links to a feed for feed readers, or nothing without a feed. */
export const FeedUpdates = ({ feed }: { readonly feed: FeedLink | undefined }) =>
  feed && (
    <p class="no-print">
      {rich(parts.updates, { atom: link(`${feed.path}.atom`), json: link(`${feed.path}.json`) })}
    </p>
  )
