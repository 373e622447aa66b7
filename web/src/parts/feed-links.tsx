import type { FeedLink } from '../../../src/interfaces/web/explorer.ts'
import { to } from '../address.ts'

/** The addresses of a feed, for readers that people follow news with. */
export function FeedLinks({ feed: { path } }: { readonly feed: FeedLink }) {
  return (
    <>
      <a href={to(`${path}.atom`)}>Atom feed</a> · <a href={to(`${path}.json`)}>JSON Feed</a>
    </>
  )
}
