import type { FeedLink } from '../../../src/interfaces/web/explorer.ts'
import { to } from '../address.ts'
import { parts } from '../texts/en/parts.ts'
import { rich } from '../texts/rich.ts'

/** Links to a feed for feed readers. */
export function FeedLinks({ feed: { path } }: { readonly feed: FeedLink }) {
  return (
    <>
      {rich(parts.feeds, {
        atom: words => <a href={to(`${path}.atom`)}>{words}</a>,
        json: words => <a href={to(`${path}.json`)}>{words}</a>,
      })}
    </>
  )
}
