import type { FeedLink } from '../../../src/interfaces/feeds/feed-link.ts'

/** The addresses of a feed, for readers that people follow news with. */
export function FeedLinks({ feed: { path } }: { readonly feed: FeedLink }) {
  return (
    <>
      <a href={`${path}.atom`}>Atom feed</a> · <a href={`${path}.json`}>JSON Feed</a>
    </>
  )
}
