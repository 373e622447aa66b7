import { VERSION } from '../../version.ts'
import type { Feed, FeedEntry } from './feed.ts'
import { element } from './xml.ts'

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
    element('link', null, { rel: 'self', type: ATOM_TYPE, href: self.atom }),
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
