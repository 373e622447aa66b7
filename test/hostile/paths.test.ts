import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ISLAND } from '../support/island.ts'
import { exchange, listen } from '../support/raw-http.ts'
import { build } from '../support/service.ts'

/** Ways out of a folder. The names after them lie above the folder of the documentation's files. */
const UP = [
  '../',
  '%2e%2e/',
  '..%2f',
  '%2e%2e%2f',
  '..%5c',
  '..\\',
  '%252e%252e%252f',
  '....//',
  '..;/',
  '%c0%ae%c0%ae/',
]
const FROM = ['/', '/docs/', '/docs/static/', '/assets/', '/problems/', '/v1/carparks/', '/v1/']
const TARGETS = ['etc/passwd', 'package.json']

const OTHERS = [
  '/docs/static//etc/passwd',
  '//etc/passwd',
  '/docs/static/%2fetc%2fpasswd',
  '/docs/reference/problems%00.html',
  '/docs/static/%00',
  '/%00',
  '/v1/carparks/%00',
  '/v1/carparks/HARBST%00',
  '/v1/toilets%00',
  '/v1/toilets%2f',
  '/v1%2ftoilets',
  '/v1/./toilets',
  '/v1/../v1/toilets',
  '/%',
  '/v1/carparks/%',
  '/v1/carparks/%g0',
  '/v1/carparks/%c3',
  '/v1/carparks/%ed%a0%80',
  '/docs/static/%',
  '/docs/static/.git/config',
  '/.env',
  '/docs/static/package.json',
]

const paths = [
  ...FROM.flatMap(from => UP.flatMap(up => TARGETS.map(target => `${from}${up.repeat(6)}${target}`))),
  ...OTHERS,
]

test('no path reaches a file, and none causes an internal error', async t => {
  const { app } = await build(t, ISLAND)
  const port = await listen(app)
  for (const path of paths) {
    const head = `GET ${path} HTTP/1.1\r\nHost: data.example\r\nConnection: close\r\n\r\n`
    const { status, headers, body } = await exchange(port, head)
    assert.ok([400, 404, 414].includes(status), `${path} gave ${status}`)
    assert.doesNotMatch(body, /root:|devDependencies|node_modules/, path)
    // Below these paths every name has a page for people, if only one that says that there is none.
    if (/^\/(docs|problems)\//.test(path) && headers['content-type'] === 'text/html; charset=utf-8') {
      assert.match(body, /<h1>No such (page|problem)<\/h1>/, path)
      continue
    }
    assert.equal(headers['content-type'], 'application/problem+json; charset=utf-8', path)
    assert.equal(JSON.parse(body).status, status)
  }
})
