import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAddress } from './address.ts'

test('a URL has a host, login, database and parameters', () => {
  const { config, ...target } = readAddress(
    '//me%40here:p%3Aw%2f%25,@one:5433/my%20db?application_name=x&schema=island&pool_size=25&statement_timeout=3000',
  )
  const { host, port, user, password, database, application_name } = config
  assert.deepEqual(
    [host, port, user, password, database, application_name],
    ['one', 5433, 'me@here', 'p:w/%,', 'my db', 'x'],
  )
  assert.deepEqual(target, {
    schema: 'island',
    poolSize: 25,
    statementMs: 3000,
    shown: 'the database my db on one:5433',
  })
})

test('missing parts of a URL have the usual defaults', () => {
  const { config, shown, ...target } = readAddress('//me@/db')
  assert.deepEqual([shown, config.application_name], ['the database db on localhost:5432', 'pds'])
  assert.deepEqual(target, { schema: 'pds', poolSize: 10, statementMs: 1500 })
  assert.equal(readAddress('//me@host').shown, 'the database me on host:5432')
  assert.equal(readAddress('//me@[::1]:1/db').shown, 'the database db on [::1]:1')
  for (const socket of ['//me@%2Frun%2Fpostgresql/db', '//me@/db?host=/run/postgresql'])
    assert.equal(readAddress(socket).shown, 'the database db on /run/postgresql:5432')
  assert.equal(readAddress('//me@host/db?port=1').shown, 'the database db on host:1')
})

test('TLS is as libpq has it', () => {
  const ssl = (parameters: string) => readAddress(`//me@host/db?${parameters}`).config.ssl
  const tls = (parameters: string) => ({ ...Object(ssl(parameters)) })
  assert.equal(ssl(''), undefined)
  assert.equal(ssl('sslmode=disable'), false)
  assert.deepEqual(tls('sslmode=require'), { rejectUnauthorized: false })
  assert.deepEqual(tls('sslmode=verify-full'), {})
  assert.deepEqual(tls('sslmode=verify-full&sslrootcert=system'), {})
})

test('an address of several servers is refused with what to do instead', () => {
  for (const address of [
    '//me@one:5433,two/db',
    '//me:secret@one,two:1/db',
    '//me@/db?host=/run/a,/run/b',
    '//me@host/db?target_session_attrs=read-write',
  ])
    assert.throws(() => readAddress(address), /it names one server: DATABASE_URL is the address that leads/)
})

const ONE_LINE = /^the address of the PostgreSQL database cannot be read: (?!.*secret)\S.*$/

test('an invalid URL is refused in one line without the password', () => {
  for (const address of [
    ...['//me:12/secret@host/db', '//me:12?secret@host/db', '//host/db/secret'],
    ...['/me:secret@host/db', '//me:secret@host:99999/db', '//me:secret@host:x/db', '//me:secret%80@host/db'],
    ...['sslmode=prefer', 'sslmode=verify-full&sslrootcert=/no/such/file', 'sslmode=verify-ca'],
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
    ...['statement_timeout=10s', 'statement_timeout=1', 'user=secret', 'password=secret', 'ssl=true'],
  ].map(part => (part.startsWith('/') ? part : `//me:secret@host/db?${part}`)))
    assert.throws(() => readAddress(address), { name: 'StoreUnusableError', message: ONE_LINE }, address)
})
