import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig, type SETTINGS } from './config.ts'

test('an empty environment gives the documented defaults', () => {
  const config = readConfig({})
  assert.equal(config.HOST, '127.0.0.1')
  assert.equal(config.PORT, 8080)
  assert.equal(config.ADMIN_PORT, 9090)
  assert.equal(config.DATABASE_URL, 'sqlite:./data')
  assert.equal(config.VEHICLES_RATE_LIMIT, 600)
  assert.equal(config.LIVE_FEED_URL, undefined)
  assert.deepEqual(config.TRUST_PROXY, [])
})

test('values are typed; an empty variable counts as not set', () => {
  const config = readConfig({ PORT: '0', TRUST_PROXY: '10.0.0.0/8, ::1', BASE_URL: '', LOG_LEVEL: ' debug ' })
  assert.equal(config.PORT, 0)
  assert.deepEqual(config.TRUST_PROXY, ['10.0.0.0/8', '::1'])
  assert.equal(config.BASE_URL, undefined)
  assert.equal(config.LOG_LEVEL, 'debug')
})

const WRONG: [keyof typeof SETTINGS, string][] = [
  ['PORT', 'http'],
  ['PORT', '70000'],
  ['DATABASE_URL', './data'],
  ['BASE_URL', 'ftp://x'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', 'localhost'],
  ['LIVE_FEED_TIME_ZONE', 'Europe/Atlantis'],
  ['LIVE_FEED_URL', 'file:///etc/passwd'],
  ['LOG_LEVEL', 'loud'],
  ['PAGE_LIMIT_MAX', '0'],
  ['REDIS_URL', 'localhost:6379'],
  ['RATE_LIMIT_INSTANCES', '0'],
]

for (const [name, value] of WRONG)
  test(`${name}=${value} stops the start with one line that names the variable, the value and what is allowed`, () => {
    assert.throws(
      () => readConfig({ [name]: value }),
      error => {
        assert.ok(error instanceof ConfigError)
        assert.ok(
          error.message.startsWith(`${name} is "${value}"`) && error.message.includes('allowed: '),
          error.message,
        )
        return !error.message.includes('\n')
      },
    )
  })

test('a password in a wrong address is not printed', () => {
  for (const address of ['redis://me:secret@host/x', 'redis://:secret', 'redis://h?password=secret'])
    assert.throws(
      () => readConfig({ REDIS_URL: address }),
      (error: Error) =>
        error.message.startsWith('REDIS_URL is "redis://') && !error.message.includes('secret'),
    )
})
