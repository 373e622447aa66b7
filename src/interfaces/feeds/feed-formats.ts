import Type from 'typebox'
import { VERSION } from '../../version.ts'

/** News in the terms that Atom (RFC 4287) and JSON Feed 1.1 share. */
export interface Feed {
  /** A URI that stays the same when the service moves. */
  readonly id: string
  readonly title: string
  readonly description: string
  /** The address of the page about the same subject. */
  readonly home: string
  /** The address of the feed itself, in the written format. */
  readonly self: string
  readonly updated: Date
  readonly author: string
  /** The owner of the content, and its licence. */
  readonly rights?: string
  /** Newest first. */
  readonly entries: readonly FeedEntry[]
}

/** One piece of news. All texts are plain, except for `html`. */
export interface FeedEntry {
  readonly id: string
  readonly title: string
  /** Where to read more. */
  readonly url: string
  readonly published: Date
  readonly updated: Date
  readonly summary: string
  readonly tags: readonly string[]
  readonly image?: string | undefined
  /** Safe HTML; if absent, the entry has only its summary. */
  readonly html?: string
}

/** Text as the content of an XML element or attribute: escaped, without the characters that XML 1.0 (2.2) cannot represent. */
function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_IN_XML, '')
    .replace(/[&<>"'\t\n\r]/g, character => ESCAPES[character] ?? `&#${character.charCodeAt(0)};`)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** An element with text, or with elements. */
function element(
  name: string,
  content: string | readonly string[] | null,
  attributes: Readonly<Record<string, string>> = {},
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlText(value)}"`)
  const start = `<${name}${written.join('')}`
  if (content === null) return `${start}/>`
  return `${start}>${typeof content === 'string' ? xmlText(content) : content.join('')}</${name}>`
}

export const ATOM_TYPE = 'application/atom+xml'

/** Writes a feed as Atom (RFC 4287). */
export function writeAtom(feed: Feed): string {
  const { id, title, description, updated, author, rights, home, self, entries } = feed
  const children = [
    element('id', id),
    element('title', title),
    element('subtitle', description),
    element('updated', updated.toISOString()),
    element('author', [element('name', author)]),
    ...(rights === undefined ? [] : [element('rights', rights)]),
    element('generator', 'Public Data Service', { version: VERSION }),
    element('link', null, { rel: 'self', type: ATOM_TYPE, href: self }),
    element('link', null, { rel: 'alternate', href: home }),
    ...entries.map(writeEntry),
  ]
  const root = element('feed', children, { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': 'en' })
  return `<?xml version="1.0" encoding="utf-8"?>\n${root}\n`
}

function writeEntry({ id, title, url, published, updated, summary, html, tags }: FeedEntry): string {
  return element('entry', [
    element('id', id),
    element('title', title),
    element('link', null, { rel: 'alternate', href: url }),
    element('published', published.toISOString()),
    element('updated', updated.toISOString()),
    ...tags.map(term => element('category', null, { term })),
    element('summary', summary),
    ...(html === undefined ? [] : [element('content', html, { type: 'html' })]),
  ])
}

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

/** A feed in the format JSON Feed 1.1. */
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
export const writeJsonFeed = ({ title, description, home, self, author, entries }: Feed): string =>
  JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: home,
    feed_url: self,
    description,
    authors: [{ name: author }],
    language: 'en',
    items: entries.map(({ id, url, title, html, summary, image, published, updated, tags }) => ({
      id,
      url,
      title,
      content_html: html,
      content_text: html === undefined ? summary : undefined,
      summary,
      image,
      date_published: published.toISOString(),
      date_modified: updated.toISOString(),
      tags,
    })),
  })
