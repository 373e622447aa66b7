import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createServer, type TlsOptions } from 'node:tls'
import { emptyFolder } from '../../../test/support/folder.ts'
import { answers, answersStatus, startUpstream } from '../../../test/support/misbehaving-upstream.ts'
import { deafPort, floods, listenRaw, sends, sendsAndEnds } from '../../../test/support/raw-upstream.ts'
import { FetchError } from '../../sources/fetch/fetch-error.ts'
import { fetchFeed } from './fetch-feed.ts'

/* A process of its own: it counts the sockets of the process. */

/** The kind and message of the fetch's failure, or the text. */
async function outcome(url: string, deadlineMs = 1000): Promise<string> {
  try {
    return `text ${(await fetchFeed(url, { deadlineMs })).text}`
  } catch (error) {
    assert.ok(error instanceof FetchError, `not a feed error: ${error}`)
    return `${error.kind}: ${error.message}`
  }
}

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`
const ANNOUNCED = `${HEAD}Content-Length: 100\r\n\r\n`

const CONNECTIONS: readonly [string, (socket: Socket) => void, RegExp][] = [
  ['closed at once', socket => socket.end(), /^refused: .*UND_ERR_SOCKET/],
  ['half closed in the status line', sendsAndEnds('HTTP/1.1 2'), /^refused: /],
  ['half closed within the headers', sendsAndEnds(HEAD), /^refused: /],
  ['half closed after the headers of a body', sendsAndEnds(ANNOUNCED), /^refused: /],
  ['half closed within the body', sendsAndEnds(`${ANNOUNCED}{"car`), /^refused: /],
  ['half closed between chunks', sendsAndEnds(`${CHUNKED}5\r\n{"car\r\n`), /^refused: /],
  ['reset within the body', socket => reset(socket, ANNOUNCED), /^refused: /],
  ['silent after the headers', sends(ANNOUNCED), /^timeout: no complete response within 1000 ms$/],
  ['whole, and never closed', sends(`${HEAD}Content-Length: 2\r\n\r\n{}`), /^text \{\}$/],
  [
    'of two lengths',
    sendsAndEnds(`${HEAD}Content-Length: 2\r\nContent-Length: 9\r\n\r\n{}`),
    /^(refused|unreadable): /,
  ],
  ['hinting without end', floods('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)), /^timeout: /],
  ['with an endless reason', floods('HTTP/1.1 200 ', 'a'.repeat(60_000)), /^(timeout|too-large): /],
  ['with endless small headers', floods(HEAD, 'x: a\r\n'.repeat(1000)), /^(too-large|timeout): /],
  ['with endless extensions of a chunk', floods(`${CHUNKED}1`, `;${'a'.repeat(60_000)}`), /^timeout: /],
  [
    'with endless trailers',
    floods(`${CHUNKED}0\r\n`, `x: ${'a'.repeat(60_000)}\r\n`),
    /^(too-large|timeout): /,
  ],
  ['in chunks of one byte', floods(CHUNKED, '1\r\na\r\n'.repeat(5000)), /^(too-large|timeout): /],
]

const reset = (socket: Socket, text: string) =>
  socket.once('data', () => socket.write(text, () => socket.resetAndDestroy()))

for (const [what, behaviour, expected] of CONNECTIONS)
  test(`connection: ${what}`, async t => {
    assert.match(await outcome(await listenRaw(t, behaviour)), expected)
  })

/** The active resources of connections that this process opened. */
const open = () => process.getActiveResourcesInfo().filter(name => /^TCP(Socket|Connect)/.test(name)).length

test('connection: connecting hangs; it ends with the deadline, and nothing of it is left', async t => {
  const url = await deafPort(t)
  const before = open()
  const began = performance.now()
  assert.equal(await outcome(url, 1900), 'timeout: no complete response within 1900 ms')
  t.diagnostic(`ended after ${Math.round(performance.now() - began)} ms`)
  while (open() > before) await new Promise(setImmediate)
})

test('connection: the handshake of TLS hangs', async t => {
  const url = await listenRaw(t, () => {})
  assert.equal(await outcome(url.replace('http:', 'https:')), 'timeout: no complete response within 1000 ms')
})

async function tlsServer(t: TestContext, options: TlsOptions): Promise<string> {
  const server = createServer(options, socket => socket.on('error', () => {}))
  server.on('tlsClientError', () => {})
  server.on('secureConnection', sendsAndEnds(`${HEAD}Content-Length: 2\r\n\r\n{}`))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/feed`
}

test('connection: a TLS server without a certificate', async t => {
  assert.match(await outcome(await tlsServer(t, {})), /^refused: .*\(ERR_SSL_/)
})

/** Not a part of the project: the test that needs it is skipped where it is missing. */
const OPENSSL = 'openssl'
const noOpenssl = spawnSync(OPENSSL, ['version']).error ? 'openssl is not installed' : false
test('connection: a certificate that nobody vouches for', { skip: noOpenssl }, async t => {
  const folder = await emptyFolder(t)
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const files = ['-keyout', key, '-out', cert]
  execFileSync(OPENSSL, ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, ...subject], {
    stdio: 'ignore',
  })
  const url = await tlsServer(t, { key: readFileSync(key), cert: readFileSync(cert) })
  assert.match(await outcome(url), /^refused: .*\((DEPTH_ZERO_)?SELF_SIGNED_CERT/)
})

/** The addresses that this process connects to as a client while it works. */
async function connectedTo(work: () => Promise<void>): Promise<Set<string>> {
  const hosts = new Set<string>()
  const note = (message: unknown) => {
    const { connectParams } = message as { connectParams: { protocol: string; host: string } }
    hosts.add(`${connectParams.protocol}//${connectParams.host}`)
  }
  subscribe('undici:client:beforeConnect', note)
  await work().finally(() => unsubscribe('undici:client:beforeConnect', note))
  return hosts
}

test('redirects lead nowhere: not a packet to another host or port, to a file, or round in a loop', async t => {
  const target = await startUpstream(answers('{}'))
  const upstream = await startUpstream(answersStatus(302))
  t.after(() => Promise.all([target.close(), upstream.close()]))
  const origin = (url: string) => new URL(url).origin
  /** Addresses, and what the message shows of them: the rest may be a key. */
  const targets: [location: string, shown: string][] = [
    [target.url, `${origin(target.url)}/…`],
    [`http://localhost:1/feed?key=secret`, 'http://localhost:1/…'],
    [upstream.url.replace('http:', 'https:'), `${origin(upstream.url).replace('http:', 'https:')}/…`],
    ['http://169.254.169.254/latest/meta-data/', 'http://169.254.169.254/…'],
    ['file:///etc/passwd', 'file:///…'],
    [`${origin(upstream.url)}/elsewhere`, `${origin(upstream.url)}/…`],
    ['/elsewhere', '…'],
    ['//x.invalid', '…'],
    [upstream.url, `${origin(upstream.url)}/…`],
  ]
  const statuses = [301, 302, 303, 307, 308]
  const hosts = await connectedTo(async () => {
    for (const [location, shown] of targets)
      for (const status of statuses) {
        upstream.behaviour = answersStatus(status, { location })
        const told = await outcome(upstream.url)
        assert.equal(told, `redirect: redirected to ${shown}, which is not followed`, `${status}`)
      }
  })
  assert.equal(target.connections, 0)
  assert.equal(upstream.requests.length, targets.length * statuses.length, 'one request each')
  assert.deepEqual([...hosts], [new URL(upstream.url).origin])
})
