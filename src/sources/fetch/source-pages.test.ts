import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import Type from 'typebox'
import * as upstreams from '../../../test/support/misbehaving-upstream.ts'
import { listenRaw, notesFirstByte } from '../../../test/support/raw-upstream.ts'
import { createColumns } from '../columns.ts'
import { openSource } from '../rows.ts'
import type { OpenedAddress } from './open-address.ts'
import { readAddress, receive, type SourceFetchOptions } from './source-address.ts'

const { answers, answersStatus, startUpstream } = upstreams
const LOCAL = { allowPrivate: true, timeoutMs: 5000 }
const PLACES = { record: Type.Object({ name: Type.String(), parish: Type.String() }), columnAliases: {} }

/** A page of a source: its text, or what the server does instead. */
type Page = string | Buffer | upstreams.Behaviour

/** Starts a server with these pages: `/feed` is the first, the others are at `/2`, `/3` and so on. */
async function serve(t: TestContext, ...pages: readonly (Page | readonly [Page, Record<string, string>])[]) {
  const server = await startUpstream((request, response) => {
    const [, number] = /^\/(\d+)$/.exec(request.url ?? '') ?? []
    const page = request.url === '/feed' ? pages[0] : pages[Number(number) - 1]
    const [content = answersStatus(404), headers = {}] = Array.isArray(page) ? page : [page]
    const behaviour = typeof content === 'function' ? content : answers(content, headers)
    behaviour(request, response)
  })
  t.after(() => server.close())
  return server
}

/** Line and name of each row, and the finding of an incomplete source. Or the reason for the refusal. */
async function read(url: string, options: SourceFetchOptions = {}) {
  const rows: unknown[] = []
  try {
    const source = await openSource('it', readAddress(url, { ...LOCAL, ...options }))
    for await (const batch of source.rows(createColumns(PLACES, {}, ['name'])))
      rows.push(...batch.map(({ line, values }) => [line, values[0]]))
    const lack = source.incomplete()
    return lack === undefined ? { rows } : { rows, lack }
  } catch (error) {
    assert.equal((error as Error).name, 'Refusal')
    return (error as Error).message
  }
}

const place = (name: string) => ({ name, parish: 'Grouville' })
const json = (name: string, members: object = {}) => JSON.stringify({ ...members, results: [place(name)] })
const csv = (name: string) => `name,parish\n${name},Grouville\n`
const linked = (number: number) => ({ link: `</${number}>; rel="next"` })

test('a JSON document leads to the next page by each of the known members', async t => {
  const forms: readonly ((href: string) => object)[] = [
    href => ({ next: href }),
    href => ({
      links: [
        { rel: 'self', href: '/feed' },
        { rel: 'next', href },
      ],
    }),
    href => ({ links: { next: href } }),
    href => ({ links: { next: { href } } }),
    href => ({ _links: { next: { href } } }),
    href => ({ pagination: { next: href } }),
    href => ({ '@odata.nextLink': href }),
  ]
  for (const form of forms) {
    const server = await serve(t, json('Pier', form('/2')), json('Hall', form('/3')), json('Hill'))
    assert.deepEqual(
      await read(server.url),
      {
        rows: [
          [1, 'Pier'],
          [2, 'Hall'],
          [3, 'Hill'],
        ],
      },
      JSON.stringify(form('/2')),
    )
  }
})

test('a list before its link, packed, and a FeatureCollection: all pages are fetched with the user', async t => {
  const features = (name: string, next: string | null) =>
    JSON.stringify({
      type: 'FeatureCollection',
      features: [{ type: 'Feature', geometry: null, properties: place(name) }],
      numberMatched: 2,
      links: [{ rel: 'next', href: next }],
    })
  const server = await serve(
    t,
    [gzipSync(features('Pier', '2')), { 'content-encoding': 'gzip' }],
    features('Hall', null),
  )
  const url = server.url.replace('//', '//user:word@')
  assert.deepEqual(await read(url), {
    rows: [
      [1, 'Pier'],
      [2, 'Hall'],
    ],
  })
  const [first, second] = server.requests
  assert.match(first?.authorization ?? '', /^Basic /)
  assert.equal(second?.authorization, first?.authorization)
})

test('pages of CSV are linked by the header Link; each has its header, and lines are counted on', async t => {
  const server = await serve(
    t,
    [csv('Pier'), linked(2)],
    [csv('Hall'), linked(3)],
    'parish,name\nTrinity,Hill',
  )
  assert.deepEqual(await read(server.url), {
    rows: [
      [2, 'Pier'],
      [5, 'Hall'],
      [8, 'Hill'],
    ],
  })
})

test('the header Link is read as RFC 8288 has it', async t => {
  const two = {
    rows: [
      [2, 'Pier'],
      [5, 'Hall'],
    ],
  }
  const one = { rows: [[2, 'Pier']] }
  const links: readonly [link: string, expected: object][] = [
    ['</2>; rel=next', two],
    ['</about>; rel="describedby"; title="a, b", </2>;REL="last Next"', two],
    ['</feed>; rel="prev", <2> ; title="more" ; rel = "next"', two],
    ['</2>; rel="nextish"', one],
    ['</2>; rel="prev"; title="next"', one],
    ['</2>; anchor="/other"; rel="next"', one],
    ['</2>; rel="next"; anchor="/other"', one],
    ['/2; rel="next"', one],
  ]
  for (const [link, expected] of links) {
    const server = await serve(t, [csv('Pier'), { link }], csv('Hall'))
    assert.deepEqual(await read(server.url), expected, link)
  }
})

test('a source whose pages end before its own total says what it lacks', async t => {
  const server = await serve(
    t,
    json('Pier', { count: 3, next: '/2' }),
    json('Hall', { count: 3, next: null }),
  )
  assert.deepEqual(await read(server.url), {
    rows: [
      [1, 'Pier'],
      [2, 'Hall'],
    ],
    lack: 'the source holds 2 of 3 records (count); fetch all pages into one list',
  })
})

test('a document without a list of records has no pages, whatever its members are called', async t => {
  const server = await serve(t, JSON.stringify({ ...place('Pier'), next: '/2' }), json('Hall'))
  assert.deepEqual(await read(server.url), { rows: [[1, 'Pier']] })
  assert.equal(server.requests.length, 1)
})

test('a page on another host, or at another port, is refused without a connection', async t => {
  const target = await serve(t, json('Hall'))
  const { port } = new URL(target.url)
  for (const href of [target.url, `http://localhost:${port}/feed`, 'file:///etc/passwd', 'http://[']) {
    const server = await serve(t, [csv('Pier'), { link: `<${href}>; rel="next"` }], json('Hall'))
    const message = await read(server.url)
    const shown = href.startsWith('http:') && URL.canParse(href) ? href : '(file://|http:/)?.*…'
    assert.match(
      String(message),
      new RegExp(
        `^it cannot be read: the next page is elsewhere, at ${shown}: fetch all pages into one list$`,
      ),
    )
  }
  assert.equal(target.connections, 0)
})

test('a page by https on the same host is asked for', async t => {
  const firstBytes: (number | undefined)[] = []
  const secure = await listenRaw(t, notesFirstByte(firstBytes))
  const server = await serve(t, json('Pier', { next: secure.replace('http:', 'https:') }))
  assert.match(String(await read(server.url)), /^it cannot be read: page 2: the connection failed/)
  // TLS begins with the record of a handshake, 22 (RFC 8446 5.1).
  assert.deepEqual(firstBytes, [22])
})

test('pages that lead back to one that was fetched are refused', async t => {
  for (const back of ['/feed', '/2', '/3#again']) {
    const server = await serve(
      t,
      json('Pier', { next: '/2' }),
      json('Hall', { next: '/3' }),
      json('Hill', { next: back }),
    )
    assert.equal(
      await read(server.url),
      'it cannot be read: page 3: the next page is one that was fetched already: ask the publisher for longer pages, or fetch them into one list',
    )
    assert.equal(server.requests.length, 3)
  }
})

test('the limits of size and time are of all pages together, and each page must be sound', async t => {
  const long = json('a'.repeat(1000), { next: '/2' })
  const outcomes: readonly [page: Page, expected: RegExp][] = [
    [json('a'.repeat(2000)), /page 2: more than 3000 bytes were sent$/],
    [upstreams.hangs, /page 2: no complete response within 1000 ms$/],
    [answersStatus(404), /page 2: the server responded with status 404$/],
    ['<!doctype html>', /page 2: the server sent an HTML page/],
    [upstreams.breaksOff, /page 2: the response broke off after 15 bytes$/],
    [answersStatus(302, { location: 'http://localhost:1/3' }), /page 2: the address has moved to /],
  ]
  for (const [page, expected] of outcomes) {
    const server = await serve(t, long, page)
    assert.match(String(await read(server.url, { maxBytes: 3000, timeoutMs: 1000 })), expected)
  }
  const server = await serve(t, long, json('a'.repeat(1500)))
  assert.equal(typeof (await read(server.url, { maxBytes: 3000 })), 'object')
})

test('a page that cannot be read is named', async t => {
  const server = await serve(t, [csv('Pier'), linked(2)], 'parish,notes\nTrinity,none')
  assert.match(String(await read(server.url)), /^page 2: the source has no column for name; its columns are /)
  const cut = await serve(t, json('Pier', { next: '/2' }), '{"results":[{"name":"Hall"}')
  assert.match(String(await read(cut.url)), /^page 2: the source ends on line 1 in the middle of its JSON/)
})

/** Reads a source with this number of pages, without a network, and returns the number of its bytes. */
async function pagesThrough(count: number): Promise<number> {
  async function* oneByte() {
    yield Buffer.from('x')
  }
  const page = (number: number): OpenedAddress => ({
    url: new URL(`http://127.0.0.1/${number}`),
    headers: number < count ? { link: `<${number + 1}>; rel="next"` } : {},
    validators: {},
    chunks: oneByte(),
    open: async url => page(Number(url.pathname.slice(1))),
    close: async () => {},
  })
  let bytes = 0
  for await (const chunk of receive(page(1))) bytes += chunk.length
  return bytes
}

test('a source may have 10,000 pages, and no more', async () => {
  assert.equal(await pagesThrough(10_000), 10_000)
  await assert.rejects(pagesThrough(10_001), {
    name: 'FetchError',
    message:
      'page 10000: there are more than 10000 pages: ask the publisher for longer pages, or fetch them into one list',
  })
})
