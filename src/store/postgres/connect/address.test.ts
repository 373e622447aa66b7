import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreUnusableError } from '../../store.ts'
import { readAddress } from './address.ts'

test('a URL has hosts, login, database and parameters', () => {
  const target = readAddress(
    '//me%40here:p%3Aw%2f%25@one:5433,[::1],%2Frun%2Fpostgresql/my%20db' +
      '?target_session_attrs=read-write&application_name=x&schema=island&pool_size=25' +
      '&statement_timeout=3000&health_check_timeout=900',
  )
  assert.deepEqual(target.hosts, [
    { host: 'one', port: 5433 },
    { host: '::1', port: 5432 },
    { host: '/run/postgresql', port: 5432 },
  ])
  const { user, password, database, attributes, tls, applicationName, schema, poolSize } = target
  assert.deepEqual(
    [user, password, database, attributes, tls, applicationName, schema, poolSize],
    ['me@here', 'p:w/%', 'my db', 'read-write', false, 'x', 'island', 25],
  )
  assert.deepEqual([target.statementMs, target.healthCheckMs], [3000, 900])
  assert.equal(target.shown, 'the database my db on one:5433, [::1]:5432, /run/postgresql:5432')
})

test('missing parts of a URL have the usual defaults', () => {
  const { hosts, password, attributes, schema, poolSize, applicationName } = readAddress('//me@/db')
  assert.deepEqual(hosts, [{ host: 'localhost', port: 5432 }])
  assert.deepEqual(
    [password, attributes, schema, poolSize, applicationName],
    [undefined, 'any', 'pds', 10, 'pds'],
  )
  assert.equal(readAddress('//me@host').database, 'me')
  assert.deepEqual(readAddress('//me@/db?host=/run/a,/run/b&port=1,2').hosts, [
    { host: '/run/a', port: 1 },
    { host: '/run/b', port: 2 },
  ])
})

test('TLS is as libpq has it', () => {
  const tls = (mode: string) => readAddress(`//me@host/db?sslmode=${mode}`).tls
  assert.equal(tls('disable'), false)
  const [encrypted, named] = [tls('require'), tls('verify-full')]
  assert.ok(encrypted !== false && encrypted.rejectUnauthorized === false)
  assert.ok(named !== false && named.rejectUnauthorized === true && named.checkServerIdentity === undefined)
  const signed = tls('verify-ca')
  assert.ok(
    signed !== false && signed.rejectUnauthorized === true && signed.checkServerIdentity !== undefined,
  )
})

test('an invalid URL is refused in one line without the password', () => {
  for (const address of [
    ...['//me:12/secret@host/db', '//me:12?secret@host/db', '//host/db/secret'],
    ...['/me:secret@host/db', '//me:secret@host:99999/db', '//me:secret@host:x/db', '//me:secret%@host/db'],
    ...['sslmode=prefer', 'sslmode=verify-full&sslrootcert=/no/such/file', 'target_session_attrs=fast'],
    ...[
      'secret=1',
      'secret',
      'sslmode=require&sslrootcert=/no/secret',
      'schema=pg_catalog',
      'schema=a"b',
      'pool_size=0',
      'pool_size=x',
      'timezone=UTC',
    ],
    ...['statement_timeout=10s', 'statement_timeout=1', 'health_check_timeout=0'],
  ].map(part => (part.startsWith('/') ? part : `//me:secret@host/db?${part}`)))
    assert.throws(
      () => readAddress(address),
      (error: Error) => {
        assert.ok(error instanceof StoreUnusableError, address)
        assert.match(error.message, /^the address of the PostgreSQL database cannot be read: \S/)
        assert.doesNotMatch(error.message, /secret|\n/)
        return true
      },
      address,
    )
})
