import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { RECALLS, TOILETS } from '../support/island.ts'
import { installedProgram } from '../support/programs.ts'
import { build, publish } from '../support/service.ts'
import { until } from '../support/until.ts'

/*
 * Ruby's parser of feeds validates as well: it refuses elements and attributes that RFC 4287 does not have or has more often,
 * those that are missing, and values that are no dates or no types of text.
 */

const RUBY = installedProgram('ruby')
const HAS_RSS = RUBY !== undefined && spawnSync(RUBY, ['-rrss', '-e', 'RSS::Atom::Feed']).status === 0
const NO_RUBY = !HAS_RSS && 'Ruby with its library rss is not installed: apt-get install ruby'

/** Reads a feed strictly, unknown elements not let pass; prints what it has. */
const VALIDATE = `
feed = RSS::Parser.parse($stdin.read, validate: true, ignore_unknown_element: false)
entries = feed.entries.map do |entry|
  [entry.id.content, entry.title.content, entry.updated.content.utc.iso8601(3), (entry.content || entry.summary).content]
end
puts JSON.generate(entries)
`

function validated(document: string): unknown {
  const words = ['-rrss', '-rjson', '-rtime', '-Eutf-8', '-e', VALIDATE]
  const { status, stdout, stderr } = spawnSync(RUBY as string, words, { input: document, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

interface Item {
  readonly id: string
  readonly title: string
  readonly date_modified: string
  readonly content_html?: string
  readonly content_text?: string
}

test('feeds are Atom to a validating parser, with the entries of the JSON Feed', {
  skip: NO_RUBY,
}, async t => {
  const recalls = RECALLS.map(recall => ({
    ...recall,
    title: `Müller’s toy <${recall.id}> ]]> & more`,
    furtherInformation: '<ul><li>Return <b>it</b> &amp; ask.</li></ul>',
  }))
  const { app, store, snapshots } = await build(t, { toilets: TOILETS, 'product-recalls': recalls })
  await publish(store, 'toilets', TOILETS.slice(1))
  await until(() => snapshots.get('toilets')?.release.number === 2)
  const textAt = async (url: string) => (await app.inject(url)).body

  for (const path of ['/v1/product-recalls/feed', '/v1/releases/feed'])
    await t.test(path, async () => {
      const items: Item[] = JSON.parse(await textAt(`${path}.json`)).items
      assert.ok(items.length > 2)
      assert.deepEqual(
        validated(await textAt(`${path}.atom`)),
        items.map(item => [item.id, item.title, item.date_modified, item.content_html ?? item.content_text]),
      )
    })

  await t.test('an empty feed', async () => {
    const { app: empty } = await build(t)
    assert.deepEqual(validated((await empty.inject('/v1/releases/feed.atom')).body), [])
  })

  await t.test('the parser refuses what the RFC does', async () => {
    const document = await textAt('/v1/product-recalls/feed.atom')
    for (const [part, instead, reason] of [
      [/<updated>[^<]*<\/updated>(?=.*<\/entry>)/s, '', /<updated> is missing in tag .*MissingTagError/],
      [/(<id>[^<]*<\/id>)(?=.*<\/entry>)/s, '$1$1', /<id> is too much .*TooMuchTagError/],
      [/<updated>[^<]*</, '<updated>yesterday<', /<yesterday> of .*NotAvailableValueError/],
      [/<entry>/, '<entry><more/>', /more> is not expected .*NotExpectedTagError/],
      [/<title>/, '<title type="markdown">', /<markdown> of .*NotAvailableValueError/],
      [/<author>.*?<\/author>/s, '', /<author> is missing in tag .*MissingTagError/],
    ] as const) {
      const damaged = document.replace(part, instead)
      assert.notEqual(damaged, document)
      assert.throws(() => validated(damaged), reason)
    }
  })
})
