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
  ['BASE_URL', 'data.example/open-data'],
  ['BASE_URL', '/open-data'],
  ['BASE_URL', 'https://data.example/open-data?'],
  ['BASE_URL', 'https://data.example/open-data#top'],
  ['BASE_URL', 'https://data.example//open-data'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', 'localhost'],
  ['LIVE_FEED_TIME_ZONE', 'Europe/Atlantis'],
  ['LIVE_FEED_URL', 'file:///etc/passwd'],
  ['LOG_LEVEL', 'loud'],
  ['PAGE_LIMIT_MAX', '0'],
  ['REDIS_URL', 'localhost:6379'],
  ['RATE_LIMIT_INSTANCES', '0'],
  ['NOTIFY_URL', 'file:///etc/passwd'],
  ['NOTIFY_AFTER_H', '0'],
]

/** Without a scheme, any part of an address may be a password. */
const SHOWN: Readonly<Record<string, string>> = {
  './data': '…',
  '/open-data': '…',
  'data.example/open-data': '…',
  'https://data.example/open-data?': 'https://data.example/…',
  'https://data.example/open-data#top': 'https://data.example/…',
  'https://data.example//open-data': 'https://data.example/…',
  'localhost:6379': '…',
  'file:///etc/passwd': 'file:///…',
}

for (const [name, value] of WRONG)
  test(`${name}=${value} stops the start with one line that names the variable, the value and what is allowed`, () => {
    assert.throws(
      () => readConfig({ [name]: value }),
      error => {
        assert.ok(error instanceof ConfigError)
        assert.ok(
          error.message.startsWith(`${name} is "${SHOWN[value] ?? value}"`) &&
            error.message.split('allowed: ').length === 2,
          error.message,
        )
        const [said = '', allowed = ''] = error.message.split('; allowed: ')
        return !error.message.includes('\n') && !said.includes(allowed)
      },
    )
  })

const SECRETS: [keyof typeof SETTINGS, string][] = [
  ['REDIS_URL', 'redis://bob:s3cret@host/x'],
  ['REDIS_URL', 'redis://:s3cret'],
  ['REDIS_URL', 'redis://h?password=s3cret'],
  ['DATABASE_URL', 'bob:s3cret@host/db'],
  ['DATABASE_URL', 's3cret'],
  ['DATABASE_READ_URL', 'bob:s3cret@host/db'],
  ['LIVE_FEED_URL', 'feed.example/s3cret?key=s3cret'],
  ['NOTIFY_URL', 'hook.example/s3cret'],
  ['NOTIFY_SECRET', 'whsec_s3cret'],
  ['BASE_URL', 'https://bob:s3cret@host/'],
  ['BASE_URL', 'https://host/?key=s3cret'],
  ['PORT', 'postgres://bob:s3cret@host/db'],
  ['TRUST_PROXY', '10.0.0.1,bob:s3cret@host'],
]

for (const [name, address] of SECRETS)
  test(`${name}=${address} is refused without printing the secret or the user`, () => {
    assert.throws(
      () => readConfig({ [name]: address }),
      (error: Error) => error.message.startsWith(`${name} is "`) && !/s3cret|bob/.test(error.message),
    )
  })
