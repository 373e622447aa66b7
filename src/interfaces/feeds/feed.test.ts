import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkAtom, checkJsonFeed } from '../../../test/support/feeds.ts'
import { type Feed, writeAtom, writeJsonFeed } from './feed-formats.ts'

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ']]>',
        '<![CDATA[',
        '<script>',
        '&amp;',
        '&',
        '"',
        "'",
        '<!--',
        '\u0000',
        '\u001b',
        '\r\n',
        '\t',
      ),
      fc.constantFrom('\ud800', '\udfff', '\ufffe', '\u2028', '😀', '<?xml?>', '</feed>', 'x'),
      fc.string({ unit: 'binary' }),
    ),
    { maxLength: 6 },
  )
  .map(parts => parts.join(''))

const feedOf = (texts: readonly string[]): Feed => ({
  id: 'urn:uuid:0a9d1c34-6f0e-4f6b-8c55-3c1f5f3f8a1e',
  title: texts[0] ?? '',
  description: texts[1] ?? '',
  home: 'https://data.example/',
  self: 'https://data.example/feed',
  updated: new Date(0),
  author: `A ${texts[2]}`,
  rights: texts[2] ?? '',
  entries: [
    {
      id: 'urn:x:1',
      url: 'https://data.example/?a="<&>',
      published: new Date(1),
      updated: new Date(2),
      title: texts[3] ?? '',
      summary: texts[4] ?? '',
      tags: [`T ${texts[5]}`],
      html: texts[6] ?? '',
    },
  ],
})

/** The part of a text that XML can represent (XML 1.0, 2.2). */
const inXml = (text: string) =>
  [...text.toWellFormed()]
    .filter(character => /[\t\n\r\u0020-\ud7ff\ue000-\ufffd]|[\u{10000}-\u{10ffff}]/u.test(character))
    .join('')

test('whatever texts hold, both feeds are valid and give the texts back, but for what XML cannot hold', () => {
  fc.assert(
    fc.property(fc.array(hostile, { minLength: 7, maxLength: 7 }), texts => {
      const feed = feedOf(texts)
      const [expected] = feed.entries
      const atom = checkAtom(writeAtom(feed))
      assert.equal(atom.title, inXml(feed.title))
      const [entry] = atom.entries
      assert.equal(entry?.title, inXml(expected?.title ?? ''))
      assert.equal(entry?.summary, inXml(expected?.summary ?? ''))
      assert.equal(entry?.content, inXml(expected?.html ?? ''))
      assert.equal(entry?.link, expected?.url)
      const [item] = checkJsonFeed(writeJsonFeed(feed)).items
      assert.deepEqual([item?.title, item?.summary], [expected?.title, expected?.summary])
    }),
    { numRuns: 500 },
  )
})

test('an entry without HTML has its summary as its text', () => {
  const { entries, ...feed } = feedOf(['', '', '', '', 'two changed', '', ''])
  const { html: _, ...entry } = entries[0] ?? assert.fail()
  const item = checkJsonFeed(writeJsonFeed({ ...feed, entries: [entry] })).items[0]
  assert.equal((item as { content_text?: string }).content_text, 'two changed')
  assert.equal(checkAtom(writeAtom({ ...feed, entries: [entry] })).entries[0]?.content, undefined)
})
