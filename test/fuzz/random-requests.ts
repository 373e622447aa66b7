import fc from 'fast-check'

/* Random bytes that were requests: sound ones, one to three in a row, of which some parts are then changed. */

const PATHS = [
  ...['/v1/toilets', '/v1/vehicles?make=ford&limit=2', '/v1/vehicles/makes', '/v1/carparks/harbst'],
  ...[
    '/v1/product-recalls?page=1',
    '/v1/datasets',
    '/openapi.json',
    '/docs',
    '/',
    '/v1/nothing',
    '/v1/carparks/%41',
  ],
  ...['/docs/reference/problems', '/v1/carparks/live-spaces', '/v1/vehicles?page=0', '*', 'data.example:443'],
]
const METHODS = ['HEAD', 'POST', 'OPTIONS', 'CONNECT', 'TRACE', 'get', 'QUERY', 'M-SEARCH']
const HEADERS = [
  ...['Accept-Encoding: br', 'Accept-Encoding: gzip', 'Accept: application/json', 'Accept: text/csv'],
  ...['Connection: close', 'Connection: keep-alive', 'If-None-Match: *', 'If-Modified-Since: yesterday'],
  ...[
    'Expect: 100-continue',
    'Upgrade: h2c\r\nConnection: Upgrade',
    'Range: bytes=0-3',
    'Prefer: handling=strict',
  ],
  ...[
    'Origin: https://a.example',
    'Access-Control-Request-Method: GET',
    'X-Forwarded-For: ::1%x',
    'Cookie: a=b',
  ],
]
const BODIES = [
  'Content-Length: 5\r\n\r\nabcde',
  'Transfer-Encoding: chunked\r\n\r\n5;x=y\r\nabcde\r\n0\r\n\r\n',
  'Transfer-Encoding: chunked\r\nTrailer: x\r\n\r\n0\r\nx: y\r\n\r\n',
]

/** Pieces that mean something to a parser. */
const PIECES = [
  ...[
    '\r',
    '\n',
    '\r\n',
    '\r\n\r\n',
    '\0',
    '\t',
    '\x0b',
    ' ',
    ':',
    ';',
    ',',
    '"',
    '#',
    '?',
    '%',
    '%00',
    '%2f..%2f',
  ],
  ...[
    '\x80',
    '\xff\xfe',
    '\xc3\xa9',
    '\x1b[31m',
    'HTTP/1.1',
    'HTTP/1.0',
    'HTTP/0.9',
    'HTTP/2.0',
    'http://a.example',
  ],
  ...[
    'Host: b\r\n',
    'Host:\r\n',
    'Content-Length: 3\r\n',
    'Content-Length: -1\r\n',
    'Content-Length: 99999\r\n',
  ],
  ...[
    'Transfer-Encoding: chunked\r\n',
    'Transfer-Encoding: identity\r\n',
    'Connection: close\r\n',
    ' folded\r\n',
  ],
  ...[
    '0\r\n\r\n',
    'ffffffffffffffff\r\n',
    'GET / HTTP/1.1\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\x16\x03\x01\x02',
  ],
  ...['__proto__: x\r\n', 'constructor: x\r\n', 'x'.repeat(100), 'x'.repeat(9000), 'a: b\r\n'.repeat(300)],
]

const request: fc.Arbitrary<string> = fc
  .record({
    method: fc.oneof({ weight: 6, arbitrary: fc.constant('GET') }, fc.constantFrom(...METHODS)),
    path: fc.constantFrom(...PATHS),
    version: fc.oneof({ weight: 9, arbitrary: fc.constant('1.1') }, fc.constant('1.0')),
    headers: fc.uniqueArray(fc.constantFrom(...HEADERS), { maxLength: 4 }),
    body: fc.oneof({ weight: 4, arbitrary: fc.constant('\r\n') }, fc.constantFrom(...BODIES)),
  })
  .map(({ method, path, version, headers, body }) => {
    const lines = headers.map(line => `${line}\r\n`).join('')
    return `${method} ${path} HTTP/${version}\r\nHost: data.example\r\n${lines}${body}`
  })

/** A place in the bytes, as a share of their length; without bias, which would be to the first line. */
const place = fc.noBias(fc.nat(10_000)).map(share => share / 10_000)
const few = fc.integer({ min: 1, max: 40 })
type Change = (text: string) => string

const at = (share: number, text: string) => Math.floor(share * text.length)

const change: fc.Arbitrary<Change> = fc.oneof(
  // Insert a piece, or other bytes.
  {
    weight: 4,
    arbitrary: fc.tuple(place, fc.constantFrom(...PIECES)).map(
      ([share, piece]): Change =>
        text => {
          const index = at(share, text)
          return text.slice(0, index) + piece + text.slice(index)
        },
    ),
  },
  fc.tuple(place, fc.uint8Array({ minLength: 1, maxLength: 8 })).map(
    ([share, bytes]): Change =>
      text => {
        const index = at(share, text)
        return text.slice(0, index) + Buffer.from(bytes).toString('latin1') + text.slice(index)
      },
  ),
  // Flip a bit.
  fc.tuple(place, fc.nat(7)).map(
    ([share, bit]): Change =>
      text => {
        const index = Math.min(at(share, text), text.length - 1)
        const flipped = String.fromCharCode(text.charCodeAt(index) ^ (1 << bit))
        return text.slice(0, index) + flipped + text.slice(index + 1)
      },
  ),
  // Leave some out, or send it again elsewhere.
  fc.tuple(place, few).map(
    ([share, count]): Change =>
      text => {
        const index = at(share, text)
        return text.slice(0, index) + text.slice(index + count)
      },
  ),
  fc.tuple(place, place, few).map(
    ([from, to, count]): Change =>
      text => {
        const [start, index] = [at(from, text), at(to, text)]
        return text.slice(0, index) + text.slice(start, start + count) + text.slice(index)
      },
  ),
  // End too early.
  place.map(
    (share): Change =>
      text =>
        text.slice(0, at(share, text)),
  ),
)

/** What is sent over one connection. */
export interface RawRequest {
  readonly bytes: Buffer
  /** Where the bytes are divided into packets. */
  readonly cuts: readonly number[]
  /** Whether the client ends its side afterwards. */
  readonly ends: boolean
}

const rawRequest: fc.Arbitrary<RawRequest> = fc
  .record({
    requests: fc.array(request, { minLength: 1, maxLength: 3 }),
    changes: fc.oneof({ weight: 3, arbitrary: fc.tuple(change) }, fc.array(change, { maxLength: 4 })),
    cuts: fc.array(place, { maxLength: 3 }),
    ends: fc.boolean(),
  })
  .map(({ requests, changes, cuts, ends }) => {
    const text = changes.reduce((text, change) => change(text) || '\0', requests.join(''))
    const bytes = Buffer.from(text, 'latin1')
    return { bytes, cuts: cuts.map(share => at(share, text)).sort((a, b) => a - b), ends }
  })

/** Random requests, the same for the same seed. */
export const randomRequests = (seed: number, count: number): RawRequest[] =>
  fc.sample(rawRequest, { seed, numRuns: count })
