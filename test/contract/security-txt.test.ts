import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from '../../src/config.ts'
import { build } from '../support/service.ts'

const PATH = '/.well-known/security.txt'
const CONTACT = 'mailto:security@data.example'
const DAY_MS = 86_400_000

test('security.txt names the contact, and expires within a year (RFC 9116)', async t => {
  const { app } = await build(t, {}, { environment: { SECURITY_CONTACT: CONTACT } })
  const { statusCode, headers, body } = await app.inject(PATH)
  assert.deepEqual([statusCode, headers['content-type']], [200, 'text/plain; charset=utf-8'])
  const lines = body.trimEnd().split('\n')
  assert.ok(lines.every(line => /^[A-Z][\w-]+: \S/.test(line)))
  assert.deepEqual(
    lines.filter(line => line.startsWith('Contact: ')),
    [`Contact: ${CONTACT}`],
  )
  const [expires, ...more] = lines.filter(line => line.startsWith('Expires: '))
  const days = (Date.parse(String(expires).slice(9)) - Date.now()) / DAY_MS
  assert.ok(more.length === 0 && days > 170 && days < 365, expires)
  // RFC 3339, as section 2.5.5 wants it; Date.parse takes other forms too.
  assert.match(String(expires), /^Expires: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(String(headers['cache-control']), /max-age=3600\b/)
  const again = await app.inject({ url: PATH, headers: { 'if-none-match': String(headers.etag) } })
  assert.equal(again.statusCode, 304)
})

test('without a contact there is no security.txt', async t => {
  const { app } = await build(t)
  assert.equal((await app.inject(PATH)).statusCode, 404)
})

test('a contact is one address on one line', () => {
  for (const contact of [CONTACT, 'https://data.example/report', 'tel:+44-1534-000000'])
    assert.equal(readConfig({ SECURITY_CONTACT: contact }).SECURITY_CONTACT, contact)
  for (const contact of [
    'security@data.example',
    'http://data.example',
    `${CONTACT}\nContact: x`,
    'mailto:x',
  ])
    assert.throws(() => readConfig({ SECURITY_CONTACT: contact }), ConfigError, contact)
})
