import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { shownAddress, shownPublicAddress, withoutSecrets } from './shown-address.ts'

const CASES: [string, string][] = [
  ['https://example.org:8080', 'https://example.org:8080'],
  ['https://example.org:8080/', 'https://example.org:8080'],
  ['https://example.org/token/feed.json', 'https://example.org/…'],
  ['https://example.org/feed.json?key=secret', 'https://example.org/…'],
  ['https://example.org?key=secret', 'https://example.org/…'],
  ['https://example.org/#secret', 'https://example.org/…'],
  ['http://[::1]:8080/', 'http://[::1]:8080'],
  ['https://me:secret@example.org/', 'https://…@example.org'],
  ['https://example.org/?mail=me@secret.org', 'https://…'],
  ['sqlite:./data', 'sqlite:./data'],
  ['postgres://a:5432,b:5433/pds', 'postgres://a:5432,b:5433/pds'],
  ['postgres:///pds', 'postgres:///pds'],
  ['postgres://a/pds?user=me&password=secret&sslmode=require', 'postgres://a/pds…'],
  ['postgres://a/se/cret', 'postgres://a/…'],
  ['postgres://me:se?cret@a/pds', 'postgres://…'],
  ['redis://:sec@ret@a:1,b:2/0', 'redis://…@a:1,b:2/0'],
  ['redis://default:secret', 'redis://…'],
  ['redis://:12345', 'redis://…'],
  ['redis+sentinel://s/p?sentinelPassword=secret', 'redis+sentinel://s/p…'],
  ['me:secret@host/pds', '…'],
  ['secret', '…'],
  ['postgres:me:secret@host', '…'],
]

for (const [text, shown] of CASES)
  test(`${text} is shown as ${shown}`, () => assert.equal(shownAddress(text), shown))

test('whatever a password is made of, nothing in front of the host is shown', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (user, password) => {
      const shown = shownAddress(`redis://${user}:${password}@host:6379/0`)
      assert.match(shown, /^redis:\/\/…(?:@host:6379\/0)?$/)
    }),
  )
})

test('a public address is shown whole, but for what may be a secret', () => {
  for (const whole of [
    'example.org/data',
    'htp://example.org/a//b',
    'https//example.org',
    'http://[::1]:80/x',
  ])
    assert.equal(shownPublicAddress(whole), whole)
  for (const [text, shown] of [
    ['https://example.org/a?key=secret', 'https://example.org/a…'],
    ['https://example.org#secret', 'https://example.org…'],
    ['https://me:secret@example.org/a', 'https://…@example.org/…'],
    ['https://example.org/me:secret@a', 'https://…'],
    ['redis://:12345', 'redis://…'],
    ['me:secret', '…'],
  ] as const)
    assert.equal(shownPublicAddress(text), shown)
})

test('of other settings, what looks like an address is shown as one', () => {
  assert.equal(withoutSecrets('80x'), '80x')
  assert.equal(withoutSecrets('postgres://me:secret@host/pds'), 'postgres://…@host/pds')
  assert.equal(withoutSecrets('me:secret@host'), '…')
})
