import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { withoutSecrets } from './without-secrets.ts'

const CASES: [string, string][] = [
  ['https://example.org:8080/a', 'https://example.org:8080/a'],
  ['http://[::1]:8080/', 'http://[::1]:8080/'],
  ['sqlite:./data', 'sqlite:./data'],
  ['postgres://a:5432,b:5433/pds', 'postgres://a:5432,b:5433/pds'],
  ['https://me:secret@example.org/', 'https://…@example.org/'],
  ['redis://:sec/r@et@a:1,b:2/0', 'redis://…@a:1,b:2/0'],
  ['redis://default:secret', 'redis://default:…'],
  ['redis://:12345', 'redis://:…'],
  [
    'postgres://a/pds?user=me&password=secret&sslmode=require',
    'postgres://a/pds?user=me&password=…&sslmode=require',
  ],
  ['redis+sentinel://s/p?sentinelPassword=secret', 'redis+sentinel://s/p?sentinelPassword=…'],
]

for (const [text, shown] of CASES)
  test(`${text} is shown as ${shown}`, () => assert.equal(withoutSecrets(text), shown))

test('whatever a password is made of, nothing in front of the host is shown', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (user, password) => {
      assert.equal(withoutSecrets(`redis://${user}:${password}@host:6379/0`), 'redis://…@host:6379/0')
    }),
  )
})
