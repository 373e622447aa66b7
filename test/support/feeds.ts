import assert from 'node:assert/strict'
import { parseAtomFeed, parseJsonFeed } from 'feedsmith'
import { SaxesParser } from 'saxes'
import Type from 'typebox'
import { Errors } from 'typebox/schema'

/*
 * No package publishes the schema of RFC 4287 under terms that let it be here. So a feed is held to the rules that the schema has,
 * and a reader that is not ours, feedsmith, must find in it all that the rules are about. The validating parser of Ruby
 * reads it besides in test/operations/feed-validation.test.ts.
 */

/** An element of an XML document. */
interface Element {
  readonly name: string
  readonly uri: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

/** Parses a document; fails where it is not well-formed. */
function parseXml(document: string): Element {
  const root: Element = { name: '', uri: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', error => assert.fail(`${error.message} in ${document}`))
  parser.on('opentag', ({ local, uri, attributes }) => {
    const values = Object.values(attributes).map(({ name, value }) => [name, value])
    const element = { name: local, uri, attributes: Object.fromEntries(values), children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => open.pop())
  parser.on('text', text => {
    const element = open.at(-1)
    if (element !== undefined) element.text += text
  })
  parser.write(document).close()
  return root.children[0] ?? assert.fail('an empty document')
}

/** Elements of a feed or an entry, and how often they may occur there at most (RFC 4287 4.1.1, 4.1.2). */
const OF_BOTH = {
  id: 1,
  title: 1,
  updated: 1,
  rights: 1,
  author: 99,
  category: 99,
  contributor: 99,
  link: 99,
}
const OF_FEED = { ...OF_BOTH, subtitle: 1, generator: 1, icon: 1, logo: 1, entry: 9999 }
const OF_ENTRY = { ...OF_BOTH, content: 1, published: 1, source: 1, summary: 1 }

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** Holds a document to the rules of RFC 4287 that its schema has. Returns the texts and links of its entries. */
export function checkAtom(document: string) {
  const feed = parseXml(document)
  assert.deepEqual([feed.name, feed.uri], ['feed', 'http://www.w3.org/2005/Atom'])
  const entries = feed.children.filter(({ name }) => name === 'entry')
  checkElement(feed, OF_FEED)
  for (const entry of entries) checkElement(entry, OF_ENTRY)
  // 4.1.1: an author in the feed, or in each entry.
  assert.ok(namesIn(feed).includes('author') || entries.every(entry => namesIn(entry).includes('author')))
  const self = linksOf(feed).find(({ rel }) => rel === 'self')
  assert.ok(self !== undefined, '4.1.1: a feed should link itself')
  const ids = entries.map(entry => textOf(entry, 'id'))
  assert.equal(new Set(ids).size, ids.length, '4.2.6: ids are unique')
  const read = {
    ...{ id: textOf(feed, 'id'), title: textOf(feed, 'title'), updated: textOf(feed, 'updated') },
    self: self.href,
    author: feed.children.find(({ name }) => name === 'author')?.children[0]?.text,
    entries: entries.map(entry => ({
      ...{ id: textOf(entry, 'id'), title: textOf(entry, 'title'), summary: textOf(entry, 'summary') },
      ...{ published: textOf(entry, 'published'), updated: textOf(entry, 'updated') },
      ...{ content: textOf(entry, 'content'), link: linksOf(entry)[0]?.href },
    })),
  }
  return read
}

/** The same for a feed of whole words, from which feedsmith must read the same: it trims texts and leaves out empty ones. */
export function checkAtomRead(document: string): ReturnType<typeof checkAtom> {
  const read = checkAtom(document)
  assert.deepEqual(read, readAtom(document))
  return read
}

/** What feedsmith reads from the same document. */
function readAtom(document: string) {
  const { id, title, updated, links = [], authors = [], entries = [] } = parseAtomFeed(document)
  return {
    ...{ id, title: title?.value, updated },
    self: links.find(({ rel }) => rel === 'self')?.href,
    author: authors[0]?.name,
    entries: entries.map(({ id, title, summary, published, updated, content, links = [] }) => ({
      ...{ id, title: title?.value, summary: summary?.value },
      ...{ published, updated },
      ...{ content: content?.value, link: links[0]?.href },
    })),
  }
}

function checkElement(element: Element, allowed: Readonly<Record<string, number>>): void {
  const names = namesIn(element)
  for (const name of names) {
    const times = names.filter(other => other === name).length
    assert.ok(times <= (allowed[name] ?? 0), `${name} ${times} times in ${element.name}`)
  }
  for (const required of ['id', 'title', 'updated']) assert.ok(names.includes(required), required)
  assert.match(textOf(element, 'id') ?? '', /^[a-z][a-z0-9+.-]*:\S+$/i, '4.2.6: an IRI')
  for (const { name, text, children, attributes } of element.children) {
    if (name === 'updated' || name === 'published') assert.match(text, RFC_3339)
    if (name === 'author') assert.ok(children.some(child => child.name === 'name' && child.text !== ''))
    if (name === 'category') assert.ok(attributes.term)
    if (name === 'link') assert.doesNotThrow(() => new URL(attributes.href ?? ''), '4.2.7.1')
    if (['title', 'summary', 'content'].includes(name))
      assert.ok(['text', 'html', undefined].includes(attributes.type), '3.1.1')
  }
  if (element.name === 'feed') return
  // 4.1.2: without content, an alternate link.
  const isLinked = linksOf(element).some(({ rel }) => rel === 'alternate')
  assert.ok(names.includes('content') || isLinked)
}

const namesIn = ({ children }: Element) => children.map(({ name }) => name)
const textOf = ({ children }: Element, wanted: string) => children.find(({ name }) => name === wanted)?.text
const linksOf = ({ children }: Element) =>
  children.filter(({ name }) => name === 'link').map(({ attributes }) => attributes)

const time = Type.String({ pattern: RFC_3339.source })
const address = Type.String({ pattern: '^https?://' })

/** JSON Feed 1.1, as its text has it: required members, and the types of others. */
const JSON_FEED = Type.Object({
  version: Type.Literal('https://jsonfeed.org/version/1.1'),
  title: Type.String(),
  home_page_url: Type.Optional(address),
  feed_url: Type.Optional(address),
  description: Type.Optional(Type.String()),
  language: Type.Optional(Type.String()),
  authors: Type.Optional(
    Type.Array(Type.Object({ name: Type.Optional(Type.String()), url: Type.Optional(address) })),
  ),
  items: Type.Array(
    Type.Intersect([
      Type.Object({
        id: Type.String({ minLength: 1 }),
        url: Type.Optional(address),
        title: Type.Optional(Type.String()),
        summary: Type.Optional(Type.String()),
        image: Type.Optional(address),
        date_published: Type.Optional(time),
        date_modified: Type.Optional(time),
        tags: Type.Optional(Type.Array(Type.String())),
      }),
      Type.Union([
        Type.Object({ content_html: Type.String() }),
        Type.Object({ content_text: Type.String() }),
      ]),
    ]),
  ),
})

/** Holds a document to JSON Feed 1.1. */
export function checkJsonFeed(document: string): Type.Static<typeof JSON_FEED> {
  const feed = JSON.parse(document)
  const [sound, errors] = Errors(JSON_FEED, feed)
  assert.ok(sound, JSON.stringify(errors))
  return feed
}

/** The same for a feed of whole words, from which feedsmith must read the same. */
export function checkJsonFeedRead(document: string): Type.Static<typeof JSON_FEED> {
  const feed = checkJsonFeed(document)
  const { items = [], ...read } = parseJsonFeed(document)
  assert.deepEqual([read.title, read.feed_url], [feed.title, feed.feed_url])
  assert.deepEqual(items, feed.items)
  return feed
}
