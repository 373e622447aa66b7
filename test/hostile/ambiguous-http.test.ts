import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ISLAND } from '../support/island.ts'
import { exchange, listen } from '../support/raw-http.ts'
import { build } from '../support/service.ts'

/*
 * The fault: a request that a proxy and the service cut at different places, so that the rest of one client's request
 * becomes the beginning of another's (request smuggling). After each of these stands the request that would be smuggled.
 */

const HEAD = 'GET /v1/toilets HTTP/1.1\r\nHost: data.example\r\n'
const SMUGGLED = 'GET /v1/nothing HTTP/1.1\r\nHost: data.example\r\nConnection: close\r\n\r\n'
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n'

/** Header lines that leave the length of the body open to reading: 400. */
const LENGTHS = {
  'an unknown coding': 'Transfer-Encoding: xchunked',
  'the obsolete coding identity': 'Transfer-Encoding: identity',
  'identity before chunked': 'Transfer-Encoding: identity, chunked',
  'chunked before identity': 'Transfer-Encoding: chunked, identity',
  'chunked twice': 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
  'another coding before chunked': 'Transfer-Encoding: gzip, chunked',
  'chunked in quotes': 'Transfer-Encoding: "chunked"',
  'no coding': 'Transfer-Encoding:',
  'a blank before the colon': 'Transfer-Encoding : chunked',
  'a vertical tab before chunked': 'Transfer-Encoding: \x0bchunked',
  'chunked on a folded line': 'Transfer-Encoding:\r\n chunked',
  'chunked after a bare line feed': 'X: y\nTransfer-Encoding: chunked',
  'chunked after a bare carriage return': 'X: y\rTransfer-Encoding: chunked',
  'a length, then chunked': 'Content-Length: 4\r\nTransfer-Encoding: chunked',
  'chunked, then a length': 'Transfer-Encoding: chunked\r\nContent-Length: 4',
  'a length of zero and chunked': 'Content-Length: 0\r\nTransfer-Encoding: chunked',
  'a signed length': 'Content-Length: +0',
  'a negative length': 'Content-Length: -1',
  'a hexadecimal length': 'Content-Length: 0x0',
  'a list of lengths': 'Content-Length: 0, 0',
  'two lengths in one': 'Content-Length: 0 0',
  'the same length twice': 'Content-Length: 0\r\nContent-Length: 0',
  'no length': 'Content-Length: ',
  'a length beyond any integer': 'Content-Length: 99999999999999999999999',
  'a line without a colon': 'nonsense',
  'a header without a name': ': x',
  'a blank in a name': 'X y: x',
  'a zero byte in a value': 'X: a\0b',
  'a zero byte in a name': 'X\0: a',
  'a bare carriage return in a value': 'X: a\rb',
  'two carriage returns': 'X: a\r',
}

/** Request lines that are no request line of HTTP/1.0 or 1.1: 400. */
const REQUEST_LINES = {
  'a tab between its parts': 'GET\t/v1/toilets\tHTTP/1.1',
  'a blank at its end': 'GET /v1/toilets HTTP/1.1 ',
  'a blank in the target': 'GET /v1/toilets /x HTTP/1.1',
  'a target without a slash': 'GET data.example:80 HTTP/1.1',
  'a backslash for a slash': 'GET \\v1\\toilets HTTP/1.1',
  'a fragment': 'GET /v1/toilets#x HTTP/1.1',
  'a protocol in small letters': 'GET /v1/toilets http/1.1',
  'a method in small letters': 'get /v1/toilets HTTP/1.1',
  'HTTP/1.2': 'GET /v1/toilets HTTP/1.2',
  'HTTP/1.10': 'GET /v1/toilets HTTP/1.10',
  'HTTP/01.1': 'GET /v1/toilets HTTP/01.1',
  Icecast: 'GET /v1/toilets ICE/1.0',
  'the protocol of a proxy before it': 'PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\nGET /v1/toilets HTTP/1.1',
  'junk before it': 'x\r\nGET /v1/toilets HTTP/1.1',
  TLS: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
}

const HOSTS = {
  'two hosts in one': 'a, b',
  'letters that are not ASCII': '\xe9.example',
  'an open bracket': '[::1',
  'a query': 'data.example?x',
}

/** Broken chunks after a sound head: its response, and no other. */
const CHUNKS = {
  'a length with 0x': '0x0\r\n\r\n',
  'a signed length': '+0\r\n\r\n',
  'a blank after the length': '0 \r\n\r\n',
  'bare line feeds': '1\nx\n0\n\n',
  'a bare line feed after an extension': '1;a\nx\r\n0\r\n\r\n',
  'a length beyond any integer': 'fffffffffffffffff\r\n',
  'more data than its length': '1\r\nxy\r\n0\r\n\r\n',
  'a length in the trailer': '0\r\nContent-Length: 5\r\n\r\n',
}

test('what proxies and servers read differently', async t => {
  const { app } = await build(t, ISLAND)
  const port = await listen(app)
  const answersTo = async (bytes: string) => {
    const { text, closed } = await exchange(port, Buffer.from(bytes, 'latin1'), { patienceMs: 10_000 })
    assert.equal(closed, true)
    return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  }
  const refuses = async (what: string, bytes: string) =>
    t.test(`refuses ${what}`, async () => assert.deepEqual(await answersTo(bytes + SMUGGLED), [400]))

  for (const [what, line] of Object.entries(LENGTHS)) await refuses(what, `${HEAD}${line}\r\n\r\n0\r\n\r\n`)
  for (const [what, line] of Object.entries(REQUEST_LINES))
    await refuses(`a request line with ${what}`, `${line}\r\nHost: data.example\r\n\r\n`)
  for (const [what, host] of Object.entries(HOSTS))
    await refuses(`a Host with ${what}`, `GET /v1/toilets HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  for (const [what, chunks] of Object.entries(CHUNKS))
    await t.test(`closes after a chunk with ${what}`, async () =>
      assert.deepEqual(await answersTo(HEAD + CHUNKED + chunks + SMUGGLED), [200]),
    )

  // Node's parser takes RTSP/1.0 for HTTP/1.0 and tells nobody; both end a message in the same way.
  await t.test('answers RTSP/1.0 as HTTP/1.0', async () => {
    const rtsp = 'GET /v1/toilets RTSP/1.0\r\nHost: data.example\r\n'
    assert.deepEqual(await answersTo(`${HEAD}\r\n${rtsp}\r\n${SMUGGLED}`), [200, 200])
    assert.deepEqual(await answersTo(`${rtsp}${CHUNKED}0\r\n\r\n${SMUGGLED}`), [400])
  })

  await t.test('reads what is unambiguous', async () => {
    for (const sound of [
      `${HEAD}\r\n`,
      `\r\n\r\n${HEAD}\r\n`,
      `${HEAD}${CHUNKED}5;x=y\r\nGET /\r\n0\r\nHost: other.example\r\n\r\n`,
      `${HEAD}Transfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n`,
      `${HEAD}Content-Length: 5\r\n\r\nGET /`,
      `${HEAD}Content_Length: 5\r\n\r\n`,
    ])
      assert.deepEqual(await answersTo(sound + SMUGGLED), [200, 404], sound)
  })
})
