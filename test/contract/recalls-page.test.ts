import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RECALLS } from '../support/island.ts'
import { openPage, textOf } from '../support/pages.ts'
import { build } from '../support/service.ts'

const NOTICE = `<p>Return <strong>it</strong>. Call 0800 123 4567 or +44 (0)1534 123456, not the code 5012345678900.</p><script>alert(1)</script><a href="javascript:alert(1)" onclick="x()">more</a>`

/** More than a page of them; the newest has everything that may be hostile. */
const MANY = [
  ...Array.from({ length: 24 }, (_, index) => ({
    ...RECALLS[0],
    id: 100 + index,
    title: `Lamp ${index}`,
    brand: index % 2 === 0 ? 'Bright' : '',
  })),
  {
    ...RECALLS[0],
    id: 200,
    title: 'Toaster 6 < 7 & "more"',
    brand: '"Quote" & Sons',
    recallDate: '2026-06-06T23:00:00.000Z',
    furtherInformation: NOTICE,
  },
]

const build25 = (t: Parameters<typeof build>[0]) => build(t, { 'product-recalls': MANY })

const titlesOf = (body: string) =>
  [...body.matchAll(/<h3><a href="\/recalls\/\d+">(.*?)<\/a>/g)].map(([, title = '']) => textOf(title))

test('the page of recalls lists what the API answers, newest first, twenty to a page', async t => {
  const { app } = await build25(t)
  for (const query of ['', '?page=2', '?brand=bright', '?since=2025-01-01', '?q=toaster', '?q=&brand=']) {
    const { body, statusCode } = await app.inject(`/recalls${query}`)
    const asked = new URLSearchParams(query)
    for (const [name, value] of [...asked]) if (value === '') asked.delete(name)
    const { results, pagination } = (
      await app.inject(`/v1/product-recalls?${asked}&sort=-recallDate&limit=20`)
    ).json()
    assert.equal(statusCode, 200)
    assert.deepEqual(
      titlesOf(body),
      results.map(({ title }: { title: string }) => title),
      query,
    )
    assert.match(textOf(body), new RegExp(`\\b${pagination.totalItems} recalls?\\b`))
  }
  const { body } = await app.inject('/recalls')
  assert.equal(titlesOf(body)[0], 'Toaster 6 < 7 & "more"')
  assert.match(textOf(body), /"Quote" & Sons · 7 June 2026/)
  assert.match(body, /href="\/v1\/product-recalls\/feed\.atom"/)
  assert.doesNotMatch(body, /<img|<script>/)
})

test('a search for what cannot be says so, beside the field', async t => {
  const { app } = await build25(t)
  const { statusCode, body } = await app.inject('/recalls?since=gestern&page=x')
  assert.equal(statusCode, 400)
  assert.match(body, /id="field-since" name="since" aria-invalid="true"/)
  assert.match(textOf(body), /Must be a date as YYYY-MM-DD/)
  assert.match(textOf(body), /page “x”: Must be/)
  assert.match(body, /href="\/recalls\?since=gestern">Search without/)
  const none = await app.inject('/recalls?brand=zzz')
  assert.match(
    textOf(none.body),
    /No match among 25 recalls since \w+ \d{4} A product that is not listed here can still be unsafe/,
  )
  assert.match(
    textOf((await app.inject('/recalls?page=9')).body),
    /There is no page 9\. Go to the first page/,
  )
})

test('a recall shows its notice as the import has made it safe, and describes itself', async t => {
  const { app } = await build25(t)
  const { statusCode, body } = await app.inject('/recalls/200')
  assert.equal(statusCode, 200)
  assert.match(body, /<p>Return <strong>it<\/strong>\. Call <a href="tel:08001234567">0800 123 4567<\/a>/)
  assert.match(
    body,
    /<a href="tel:\+441534123456">\+44 \(0\)1534 123456<\/a>, not the code 5012345678900\.<\/p>/,
  )
  assert.doesNotMatch(body, /javascript:|onclick|alert\(/)
  assert.match(body, /<a href="https:\/\/example\.org\/recall">The original notice/)
  assert.match(textOf(body), /Recalled on 7 June 2026/)
  assert.match(body, /href="\/recalls\?brand=%22Quote%22\+%26\+Sons"/)
  const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body) ?? []
  const structured = JSON.parse(json)
  assert.deepEqual(
    [structured['@type'], structured.headline, structured.about.name],
    ['Article', 'Toaster 6 < 7 & "more"', '"Quote" & Sons'],
  )
})

test('a recall that there is not is 404 and leads on', async t => {
  const { app } = await build25(t)
  for (const id of ['1', 'nonsense', '%3Cscript%3E', '9'.repeat(40)]) {
    const { statusCode, body } = await openPage(app, `/recalls/${id}`)
    assert.equal(statusCode, 404, id)
    assert.match(body, /<a href="\/recalls">All recalls<\/a>/)
    assert.doesNotMatch(body, /<script>/)
  }
})
