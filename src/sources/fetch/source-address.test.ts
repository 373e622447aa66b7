import assert from 'node:assert/strict'
import { lookup } from 'node:dns'
import { text as textOf } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import * as upstreams from '../../../test/support/misbehaving-upstream.ts'
import { floods, listenRaw, notesFirstByte } from '../../../test/support/raw-upstream.ts'
import { createColumns } from '../columns.ts'
import { openSource } from '../rows.ts'
import { FetchError } from './fetch-error.ts'
import { isPrivate } from './open-address.ts'
import { openSourceAddress, readAddress, type SourceFetchOptions } from './source-address.ts'

const { answers, answersStatus, startUpstream } = upstreams
const CSV = 'name,parish\nHall,Grouville\n'
const LOCAL = { allowPrivate: true, timeoutMs: 1000 }

async function upstream(t: TestContext, behaviour: upstreams.Behaviour): Promise<upstreams.Upstream> {
  const started = await startUpstream(behaviour)
  t.after(() => started.close())
  return started
}

/** The source's text, or the kind and message of the failure. */
async function outcome(url: string, options: SourceFetchOptions = {}): Promise<string> {
  try {
    return await textOf(readAddress(url, { ...LOCAL, ...options }))
  } catch (error) {
    assert.ok(error instanceof FetchError, `not a fetch error: ${error}`)
    assert.doesNotMatch(error.message, /\n/)
    return `${error.kind}: ${error.message}`
  }
}

test('a source is fetched from its address, whatever its type', async t => {
  const server = await upstream(t, answers(CSV, { 'content-type': 'application/octet-stream' }))
  assert.equal(await outcome(server.url), CSV)
  assert.equal(server.requests[0]?.['accept-encoding'], 'gzip')
})

test('a source that is sent packed is unpacked by the reader', async t => {
  const server = await upstream(t, answers(gzipSync(CSV), { 'content-encoding': 'gzip' }))
  const source = await openSource('a', readAddress(server.url, LOCAL))
  const columns = createColumns(
    { name: 'places', record: { properties: { name: {}, parish: {} } }, columnAliases: {} } as never,
    {},
  )
  const rows = []
  for await (const batch of source.rows(columns)) rows.push(...batch.map(({ values }) => values))
  assert.deepEqual(rows, [['Hall', 'Grouville']])
})

test('the encoding that a server declares is used, unless the text or the operator says another', async t => {
  const server = await upstream(t, answers(''))
  const columns = () =>
    createColumns({
      record: { properties: { name: {}, parish: {} } },
      columnAliases: {},
    } as never)
  const read = async (body: Buffer, type: string, reading = {}) => {
    server.behaviour = answers(body, { 'content-type': type })
    const source = await openSource('a', readAddress(server.url, LOCAL), reading)
    const rows = []
    for await (const batch of source.rows(columns())) rows.push(...batch.map(({ values }) => values[0]))
    return rows
  }
  const text = 'name,parish\nCafé,Grouville\n'
  const latin = Buffer.from(text, 'latin1')
  for (const type of ['text/csv; charset=ISO-8859-1', 'text/csv;header=present;charset="latin1"'])
    assert.deepEqual(await read(latin, type), ['Café'])
  assert.deepEqual(await read(Buffer.from(text), 'text/csv; charset=iso-8859-1', { encoding: 'utf-8' }), [
    'Café',
  ])
  assert.deepEqual(await read(Buffer.from(`\ufeff${text}`), 'text/csv; charset=iso-8859-1'), ['Café'])
  assert.deepEqual(await read(Buffer.from(text), 'text/csv; charset=unheard-of'), ['Café'])
  await assert.rejects(read(latin, 'text/csv'), { message: /not UTF-8/ })
})

test('every fault of a server gives one line', async t => {
  const server = await upstream(t, answersStatus(404))
  const faults: readonly [upstreams.Behaviour, RegExp][] = [
    [answersStatus(404), /^status: the server responded with status 404$/],
    [answersStatus(503), /^status: the server responded with status 503$/],
    [
      answers('<html>', { 'content-type': 'text/html; charset=utf-8' }),
      /^type: the server sent an HTML page/,
    ],
    [answers('\n<!DOCTYPE html>', { 'content-type': 'text/csv' }), /^type: the server sent an HTML page/],
    [answers(CSV, { 'synthetic-data': 'true' }), /^type: the server marks the data as synthetic/],
    [answers(CSV, { 'content-encoding': 'br' }), /^unreadable: .* content coding that was not requested$/],
    [upstreams.breaksOff, /^refused: the response broke off after 15 bytes$/],
    [upstreams.drips, /^timeout: no complete response within 1000 ms$/],
    [upstreams.hangs, /^timeout: /],
    [upstreams.resets, /^refused: the connection failed/],
    [upstreams.sendsBytes(3_000_000), /^too-large: more than 1000000 bytes were sent$/],
    [answers('', { 'content-length': '2000000' }), /^too-large: /],
  ]
  for (const [behaviour, expected] of faults) {
    server.behaviour = behaviour
    assert.match(await outcome(server.url, { maxBytes: 1_000_000 }), expected)
  }
  const endless = await listenRaw(t, floods('HTTP/1.1 200 OK\r\n\r\n', CSV.repeat(1000)))
  assert.match(await outcome(endless, { maxBytes: 1_000_000 }), /^too-large: /)
})

test('redirects are followed within the host and port, three at most, with the user', async t => {
  const server = await upstream(t, (request, response) =>
    request.url === '/new%20data'
      ? answers(CSV)(request, response)
      : answersStatus(302, { location: '/new data' })(request, response),
  )
  assert.equal(await outcome(server.url.replace('//', '//user:word@')), CSV)
  assert.match(server.requests[0]?.authorization ?? '', /^Basic /)
  assert.equal(server.requests[1]?.authorization, server.requests[0]?.authorization)
  const before = server.requests.length
  server.behaviour = answersStatus(302, { location: server.url })
  assert.equal(await outcome(server.url), 'redirect: redirected more than 3 times')
  assert.equal(server.requests.length - before, 4)
})

test('a redirect to https on the same host is followed', async t => {
  const firstBytes: (number | undefined)[] = []
  const secure = await listenRaw(t, notesFirstByte(firstBytes))
  const server = await upstream(t, answersStatus(301, { location: secure.replace('http:', 'https:') }))
  assert.match(await outcome(server.url), /^refused: the connection failed/)
  // TLS begins with the record of a handshake, 22 (RFC 8446 5.1).
  assert.deepEqual(firstBytes, [22])
})

test('a redirect to elsewhere names the address to use, without what may be a key', async t => {
  const target = await upstream(t, answers(CSV))
  const server = await upstream(t, answersStatus(302))
  const { port } = new URL(target.url)
  const targets: readonly (readonly [location: string, shown: string])[] = [
    [`http://127.0.0.1:${port}/x y.csv`, `http://127.0.0.1:${port}/x%20y.csv`],
    [`http://localhost:${port}/x.csv`, `http://localhost:${port}/x.csv`],
    [`https://localhost:${port}/x.csv`, `https://localhost:${port}/x.csv`],
    [`//localhost:${port}/x.csv`, `http://localhost:${port}/x.csv`],
    [`${target.url}?key=s3cret`, `http://127.0.0.1:${port}/…`],
    [target.url.replace('//', '//bob:s3cret@'), `http://…@127.0.0.1:${port}/…`],
    ['file:///etc/passwd', 'file:///…'],
  ]
  for (const [location, shown] of targets) {
    server.behaviour = answersStatus(302, { location })
    assert.equal(await outcome(server.url), `redirect: the address has moved to ${shown}: use that`)
  }
  server.behaviour = answersStatus(302, { location: `${target.url}/s3cret` })
  assert.equal(
    await outcome(`${server.url}?key=s3cret`),
    `redirect: the address has moved to http://127.0.0.1:${port}/…: use that`,
  )
  assert.equal(target.connections, 0)
})

test('validators make a request conditional; 304 has no body', async t => {
  const server = await upstream(t, upstreams.answersConditionally(CSV, '"one"'))
  const first = await openSourceAddress(server.url, LOCAL)
  await first.close()
  assert.deepEqual(first.validators, { etag: '"one"', lastModified: undefined })
  const again = await openSourceAddress(server.url, { ...LOCAL, validators: first.validators })
  await again.close()
  assert.equal(again.chunks, undefined)
})

test('private addresses are refused without a connection, by number and by name', async t => {
  const server = await upstream(t, answers(CSV))
  const { port } = new URL(server.url)
  const [address] = await new Promise<string[]>(resolve =>
    lookup('localhost', (_, found) => resolve([found])),
  )
  assert.ok(address !== undefined && isPrivate(address))
  for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', 'localhost'])
    assert.match(
      await outcome(`http://${host}:${port}/`, { allowPrivate: false }),
      /^private: \S+ is an address of this machine or of a private network; to allow it, use --allow-private/,
      host,
    )
  assert.equal(server.connections, 0)
})

test('the networks that are private', () => {
  const all =
    '0.0.0.0 10.1.2.3 100.64.0.1 127.9.9.9 169.254.169.254 172.31.255.255 192.168.0.1 224.0.0.1 ::1 ::'
  // Tunnels and old forms lead to addresses of IPv4.
  const led =
    '::ffff:10.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::a00:1 2002:7f00:1:: 2001::1 ::7f00:1 ::ffff:0:7f00:1'
  const others = 'fd00::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1 192.0.2.1 2001:db8::1 4000::1'
  for (const address of [all, led, others].flatMap(list => list.split(' ')))
    assert.equal(isPrivate(address), true, address)
  for (const address of ['1.1.1.1', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])
    assert.equal(isPrivate(address), false, address)
})
