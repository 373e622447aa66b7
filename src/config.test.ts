import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { ConfigError, doubtfulVariables, fileVariable, readConfig, SETTINGS } from './config.ts'

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

/** Errors hide possible passwords: the query and the fragment of BASE_URL, and all but scheme and host of other addresses. */
const SHOWN: Readonly<Record<string, string>> = {
  './data': '…',
  '/open-data': '…',
  'https://data.example/open-data?': 'https://data.example/open-data…',
  'https://data.example/open-data#top': 'https://data.example/open-data…',
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

describe('a value from a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pds-setting-'))
  after(() => rmSync(folder, { recursive: true }))
  const fileWith = (content: string, mode = 0o400) => {
    const path = join(folder, `${Buffer.from(content).toString('hex')}-${mode}`)
    writeFileSync(path, content)
    chmodSync(path, mode)
    return path
  }

  test('is that of the variable, without its line feed; every setting takes one except the paths', () => {
    const config = readConfig({
      DATABASE_URL_FILE: fileWith('sqlite:./a b\n'),
      PORT_FILE: fileWith('81\r\n'),
    })
    assert.deepEqual([config.DATABASE_URL, config.PORT], ['sqlite:./a b', 81])
    assert.deepEqual(
      (Object.keys(SETTINGS) as (keyof typeof SETTINGS)[]).filter(name => fileVariable(name) === undefined),
      ['SOURCES', 'CORRECTIONS', 'ISLAND', 'METADATA', 'MAP_FILE'],
    )
    assert.equal(readConfig({ PORT: '82', PORT_FILE: '' }).PORT, 82)
  })

  const secret = 'redis://bob:s3cret@host/x'
  const WRONG: [what: string, environment: Record<string, string>, line: RegExp][] = [
    [
      'is missing',
      { PORT_FILE: '/missing' },
      /^PORT_FILE: \/missing: cannot be read \(ENOENT\); name a file/,
    ],
    ['cannot be read', { PORT_FILE: folder }, /^PORT_FILE: \S+: cannot be read \(EISDIR\); name a file/],
    [
      'is empty',
      { PORT_FILE: fileWith(' \n') },
      /^PORT_FILE: \S+: is empty; it must have the value of PORT$/,
    ],
    [
      'has two lines',
      { NOTIFY_URL_FILE: fileWith(`${secret}\n1`) },
      /^NOTIFY_URL_FILE: \S+: has several lines/,
    ],
    ['is one of two sources', { PORT: '1', PORT_FILE: '/x' }, /^PORT and PORT_FILE are both set: unset one/],
    ['has a bad value', { NOTIFY_SECRET_FILE: fileWith(secret) }, /^NOTIFY_SECRET is "…"; allowed: whsec_/],
  ]
  for (const [what, environment, line] of WRONG)
    test(`that ${what} stops the start with one line, without a secret`, () => {
      assert.throws(
        () => readConfig(environment),
        (error: Error) =>
          error instanceof ConfigError && line.test(error.message) && !/\n|s3cret/.test(error.message),
      )
    })

  test('that every user can read is pointed out if it may be a secret', () => {
    const environment = {
      DATABASE_URL_FILE: fileWith(secret, 0o644),
      REDIS_URL_FILE: fileWith(secret, 0o640),
      PORT_FILE: fileWith('81', 0o644),
      NOTIFY_URL_FILE: '/missing',
    }
    const [doubt, ...others] = doubtfulVariables(environment)
    assert.deepEqual([doubt?.name, others], ['DATABASE_URL_FILE', []])
    assert.match(doubt?.problem ?? '', /^names \S+, which every user of this machine can read$/)
  })
})

test('a misspelt variable, of a file too, is named with the one that is meant; names of others are not', () => {
  const others = {
    HOME: '/',
    LOG_FILE: 'x',
    HOST_FILE: 'x',
    PGPASSFILE: 'x',
    DATABASE_URL: '',
    PORT_FILE: '',
  }
  const names = { DATABSE_URL: '', NOTIFY_SECRT_FILE: '', NOTIFY_URL_FILES: '', METADATA_FILE: '' }
  assert.deepEqual(
    doubtfulVariables({ ...others, ...names }).map(({ name, advice }) => [name, advice]),
    [
      ['DATABSE_URL', 'if DATABASE_URL is meant, rename it'],
      ['NOTIFY_SECRT_FILE', 'if NOTIFY_SECRET_FILE is meant, rename it'],
      ['METADATA_FILE', 'if METADATA is meant, rename it'],
    ],
  )
})
