import Type, { type Static } from 'typebox'
import type { Feed, FeedEntry } from './feed.ts'

export const JSON_FEED_TYPE = 'application/feed+json'

const address = (description: string) => Type.String({ format: 'uri', description })
const time = (description: string) => Type.String({ format: 'date-time', description })

const Item = Type.Object({
  id: Type.String({ description: 'Stays the same when the service moves.' }),
  url: address('Where to read more.'),
  title: Type.String({ description: 'Plain text.' }),
  content_html: Type.Optional(Type.String({ description: 'HTML without scripts.' })),
  content_text: Type.Optional(Type.String({ description: 'Plain text, where there is no HTML.' })),
  summary: Type.String({ description: 'Plain text.' }),
  image: Type.Optional(address('A picture.')),
  date_published: time('When it was published.'),
  date_modified: time('When it last changed, as far as known.'),
  tags: Type.Array(Type.String()),
})

/** A feed as JSON Feed 1.1 has it. */
export const JsonFeed = Type.Object(
  {
    version: Type.String({ description: 'https://jsonfeed.org/version/1.1' }),
    title: Type.String(),
    home_page_url: address('The page of what it tells of.'),
    feed_url: address('The feed itself.'),
    description: Type.String(),
    authors: Type.Array(Type.Object({ name: Type.String() })),
    language: Type.String(),
    items: Type.Array(Item, { description: 'The newest first.' }),
  },
  { $id: 'JsonFeed', title: 'JSON Feed', description: 'A feed as JSON Feed 1.1.' },
)

/** Writes a feed as JSON Feed 1.1. */
export const writeJsonFeed = (feed: Feed): string => JSON.stringify(jsonFeedOf(feed))

const jsonFeedOf = ({ title, description, home, self, author, entries }: Feed): Static<typeof JsonFeed> => ({
  version: 'https://jsonfeed.org/version/1.1',
  title,
  home_page_url: home,
  feed_url: self.json,
  description,
  authors: [{ name: author }],
  language: 'en',
  items: entries.map(itemOf),
})

const itemOf = (entry: FeedEntry): Static<typeof Item> => ({
  id: entry.id,
  url: entry.url,
  title: entry.title,
  ...(entry.html === undefined ? { content_text: entry.summary } : { content_html: entry.html }),
  summary: entry.summary,
  ...(entry.image !== undefined && { image: entry.image }),
  date_published: entry.published.toISOString(),
  date_modified: entry.updated.toISOString(),
  tags: [...entry.tags],
})
