import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ISLAND } from '../support/island.ts'
import { exchange, listen } from '../support/raw-http.ts'
import { build } from '../support/service.ts'

const HOST = 'Host: data.example\r\n'
const GET = 'GET /v1/toilets HTTP/1.1\r\n'
const headers = (count: number) => Array.from({ length: count }, (_, index) => `x${index}: 1\r\n`).join('')

/** Requests that are too large: their status, and what is sent. */
const TOO_LARGE: Record<string, [status: number, bytes: string]> = {
  'a header of 9 KB': [431, `${GET}${HOST}X-Long: ${'x'.repeat(9 * 1024)}\r\n\r\n`],
  'a header of 1 MB': [431, `${GET}${HOST}X-Long: ${'x'.repeat(1024 * 1024)}\r\n\r\n`],
  '3000 headers': [431, `${GET}${HOST}${headers(3000)}\r\n`],
  '3000 short headers': [431, `${GET}${HOST}${'X: x\r\n'.repeat(3000)}\r\n`],
  '101 headers': [431, `${GET}${HOST}${'X: x\r\n'.repeat(100)}\r\n`],
  'an address of 20 KB': [431, `GET /v1/toilets?${'x'.repeat(20 * 1024)} HTTP/1.1\r\n${HOST}\r\n`],
  'a part of the path of 200 characters': [
    414,
    `GET /v1/carparks/${'x'.repeat(200)} HTTP/1.1\r\n${HOST}\r\n`,
  ],
}

/** Requests that two readers may read as different ones. */
const AMBIGUOUS: Record<string, string> = {
  'two Host headers': `${GET}${HOST}${HOST}\r\n`,
  'two Host headers in other cases': `${GET}${HOST}hOST: data.example\r\n\r\n`,
  'no Host header': `${GET}\r\n`,
  'HTTP/0.9 without a version': 'GET /v1/toilets\r\n\r\n',
  'HTTP/0.9': `GET /v1/toilets HTTP/0.9\r\n${HOST}\r\n`,
  'HTTP/2.0 in the request line': `GET /v1/toilets HTTP/2.0\r\n${HOST}\r\n`,
  'the opening of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'bare line feeds': 'GET /v1/toilets HTTP/1.1\nHost: data.example\n\n',
  'a bare line feed before the end': `${GET}${HOST}\n`,
  'both lengths': `${GET}${HOST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n`,
  'two other lengths': `${GET}${HOST}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`,
  'a folded header': `${GET}${HOST}X: a\r\n b\r\n\r\n`,
  'a method that nobody knows': `FETCH /v1/toilets HTTP/1.1\r\n${HOST}\r\n`,
  'a control character in the address': `GET /v1/toilets?\x1b[31m HTTP/1.1\r\n${HOST}\r\n`,
  'HTTP/1.0 with Transfer-Encoding': `GET /v1/toilets HTTP/1.0\r\n${HOST}Transfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n0\r\n\r\n`,
  'a Host with a path': `${GET}Host: data.example/v1\r\n\r\n`,
  'a Host with a user': `${GET}Host: me@data.example\r\n\r\n`,
  'a Host with a blank': `${GET}Host: data .example\r\n\r\n`,
  'a Host with a port of letters': `${GET}Host: data.example:http\r\n\r\n`,
  'a whole address as the target': `GET http://data.example/v1/toilets HTTP/1.1\r\n${HOST}\r\n`,
  'an asterisk as the target': `GET * HTTP/1.1\r\n${HOST}\r\n`,
  'an expectation that nobody knows': `${GET}${HOST}Expect: a-miracle\r\n\r\n`,
  'broken percent-encoding': `GET /v1/carparks/%zz HTTP/1.1\r\n${HOST}\r\n`,
}

/** Requests that announce a body that is not sent. */
const WITHOUT_ITS_BODY: Record<string, string> = {
  'a GET with a length and no body': `${GET}${HOST}Content-Length: 5\r\n\r\n`,
  'a GET with chunks that do not end': `${GET}${HOST}Transfer-Encoding: chunked\r\n\r\n5\r\nab`,
  'a GET whose body is the next request': `${GET}${HOST}Content-Length: 5\r\n\r\n${GET}${HOST}\r\n`,
}

/** Its response is compressed, which takes a moment. */
const SLOW = `GET /openapi.json HTTP/1.1\r\n${HOST}Accept-Encoding: gzip\r\n\r\n`
const statusesOf = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

test('malformed and malicious requests', async t => {
  const { app } = await build(t, ISLAND)
  const port = await listen(app)

  async function isRefused(bytes: string, status: number) {
    const answer = await exchange(port, bytes)
    assert.equal(answer.status, status)
    assert.equal(answer.closed, true)
    assert.equal(answer.headers.connection, 'close')
    assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8')
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.equal(JSON.parse(answer.body).status, status)
    assert.equal(answer.text.split('HTTP/1.1 ').length, 2, 'one answer and no more')
  }

  for (const [what, [status, bytes]] of Object.entries(TOO_LARGE))
    await t.test(`refuses ${what} with ${status} and closes`, () => isRefused(bytes, status))

  for (const [what, bytes] of Object.entries(AMBIGUOUS))
    await t.test(`refuses ${what} with 400 and closes`, () => isRefused(bytes, 400))

  await t.test('refuses CONNECT with 405 and closes', () =>
    isRefused(`CONNECT data.example:443 HTTP/1.1\r\n${HOST}\r\n`, 405),
  )

  await t.test('ignores an Upgrade (RFC 9110 7.8), and closes after the response', async () => {
    const upgrade = `${GET}${HOST}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`
    const { text, closed, headers } = await exchange(port, `${upgrade}${GET}${HOST}\r\n`, {
      patienceMs: 3000,
    })
    assert.deepEqual([statusesOf(text), headers.connection, closed], [[200], 'close', true])
  })

  await t.test('asks for no body: a request with Expect gets its response and no other', async () => {
    const head = `${GET}${HOST}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`
    const { text, closed } = await exchange(port, head, { patienceMs: 10_000 })
    assert.deepEqual([statusesOf(text), closed], [[200], true])
  })

  for (const [what, first] of Object.entries(WITHOUT_ITS_BODY))
    await t.test(`closes after ${what}, without a second response`, async () => {
      const { text, closed } = await exchange(port, first, { patienceMs: 10_000 })
      assert.deepEqual([statusesOf(text), closed], [[200], true])
    })

  await t.test('drops the body of a GET, and goes on with the next request', async () => {
    const withBody = `${GET}${HOST}Content-Length: 5\r\n\r\nabcde`
    const { text } = await exchange(port, `${withBody}${GET}${HOST}Connection: close\r\n\r\n`)
    assert.deepEqual(statusesOf(text), [200, 200])
  })

  await t.test('never puts the refusal of a request in the place of another response', async () => {
    const { text, closed } = await exchange(port, `${SLOW.repeat(3)}nonsense\r\n\r\n`, { patienceMs: 10_000 })
    assert.deepEqual([statusesOf(text), closed], [[200, 200, 200], true])
  })

  await t.test('finishes the responses before a CONNECT, however long they are', async () => {
    const long = `GET /openapi.json HTTP/1.1\r\n${HOST}\r\n`.repeat(2)
    const connect = `CONNECT data.example:443 HTTP/1.1\r\n${HOST}\r\n`
    const { text, closed } = await exchange(port, `${long}${connect}`, { patienceMs: 10_000 })
    assert.equal(closed, true)
    const responses = text.split(/(?=HTTP\/1\.1 )/)
    for (const response of responses) JSON.parse(response.slice(response.indexOf('\r\n\r\n')))
    assert.equal(responses.length, 2)
  })

  await t.test('tells who sends letters as they are to percent-encode them', async () => {
    const { body, status } = await exchange(port, `GET /v1/vehicles?make=citroën HTTP/1.1\r\n${HOST}\r\n`)
    assert.equal(status, 400)
    assert.match(JSON.parse(body).detail, /percent-encoded/)
  })

  await t.test('answers a POST with a large body at once, without reading it all first', async () => {
    const body = 'x'.repeat(8_000_000)
    const address = `http://127.0.0.1:${port}/v1/vehicles`
    const response = await fetch(address, { method: 'POST', body, signal: AbortSignal.timeout(10_000) })
    assert.equal(response.status, 405)
    assert.match(await response.text(), /METHOD_NOT_ALLOWED/)
    // A client that sends the head and waits is told as well.
    const head = `POST /v1/vehicles HTTP/1.1\r\n${HOST}Content-Length: 1000000\r\nConnection: close\r\n\r\nx`
    assert.equal((await exchange(port, head, { patienceMs: 10_000 })).status, 405)
  })

  await t.test('sends no body to HEAD, not even with an error', async () => {
    for (const path of ['/v1/toilets', '/v1/nothing', '/v1/vehicles?page=0', '/v1/carparks/%zz', '/docs']) {
      const question = `${path} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`
      const head = await exchange(port, `HEAD ${question}`)
      const get = await exchange(port, `GET ${question}`)
      assert.equal(head.body, '', path)
      assert.equal(head.status, get.status)
      assert.equal(head.headers['content-length'], String(Buffer.byteLength(get.body)))
    }
  })

  await t.test('goes on answering others', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => fetch(`http://127.0.0.1:${port}/v1/toilets`)),
    )
    for (const response of responses) assert.equal(response.status, 200)
  })
})
