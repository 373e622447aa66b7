import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DATASETS } from '../../src/datasets/index.ts'
import { HTTP_LIMITS } from '../../src/http/limits.ts'
import { formatNegotiator, JSON_FORMAT, preferredCoding } from '../../src/http/negotiation.ts'
import { prefersStrict } from '../../src/http/parameters.ts'
import {
  clientAddressReader,
  clientKey,
  pathOf,
  queryStringOf,
  requireUnambiguous,
  splitQuery,
} from '../../src/http/request.ts'
import { isNotModified } from '../../src/http/response.ts'
import { plainText, readEntry } from '../../src/parking/feed/mapping.ts'
import { readFeedTime } from '../../src/parking/feed/time-text.ts'
import { fileTimeReader } from '../../src/parking/history/import/history-file.ts'
import { coercerOf } from '../../src/releases/import/coerce/coerce.ts'
import { fieldSchemas } from '../../src/releases/import/importable.ts'
import { readAddress } from '../../src/store/postgres/connect/address.ts'
import {
  addressOrCidr,
  databaseAddress,
  httpUrl,
  postgresAddress,
  publicUrl,
  timeZone,
} from '../../src/values/addresses/addresses.ts'
import { redisAddress } from '../../src/values/addresses/redis-address.ts'
import { shownAddress, withoutSecrets } from '../../src/values/addresses/shown-address.ts'
import { calendarDate, isDate, moment } from '../../src/values/dates.ts'
import { nearest } from '../../src/values/text.ts'
import { flag, integer, listOf, number, oneOf, text } from '../../src/values/values.ts'

const LENGTH = 100_000
const ROUNDS = 100

/** Of the thread that answers everybody. */
const REQUEST_MS = 5

/** Of an import or a start. What grows with the square of the length takes seconds. */
const VALUE_MS = 50

const times = (part: string) => part.repeat(LENGTH / part.length)

/** Texts of 100,000 characters that are near to what is allowed, over and over. */
const LONG: readonly string[] = [
  ...['9', 'a', ' ', '\t', '-', '.', '/', '@', ':', '"', '[', '{', '%', '\u00e9', '\ud800'],
  ...[
    '1.',
    '1,',
    'a@',
    '://',
    '%41',
    '-1',
    '0x',
    '01/01/2024 ',
    '2024-01-01T',
    ' 00:00',
    '?a=&',
    '&amp;',
    '[]',
  ],
].flatMap(part => [
  times(part),
  `${times(part)}x`,
  ...['postgres://', 'redis://u:', 'https://', '2024-01-01T00:00:00.', '1'].map(start => start + times(part)),
])

const now = new Date('2024-06-01T12:00:00Z')
const values = {
  ...{ addressOrCidr, databaseAddress, httpUrl, postgresAddress, publicUrl, timeZone, redisAddress },
  ...{ calendarDate, moment, number, flag },
  integer: () => integer({ minimum: 0, maximum: 9 }),
  text: () => text({ maxLength: 100 }),
  oneOf: () => oneOf(['PETROL', 'DIESEL'], { ignoreCase: true }),
}

const request = (headers: Readonly<Record<string, string>>) =>
  ({ headers, rawHeaders: Object.entries(headers).flat(), socket: { remoteAddress: '::1' } }) as never
const readFormat = formatNegotiator([JSON_FORMAT, { name: 'csv', mediaType: 'text/csv' }])
const clientAddress = clientAddressReader(['::1'])
const target = (query: string) => splitQuery(queryStringOf(`/v1/vehicles?${query}`), [])

/** What reads the target and the headers of a request; more than these 8 KB never reach it. */
const OF_REQUESTS: Readonly<Record<string, (long: string) => unknown>> = {
  ...{ Accept: readFormat, 'Accept-Encoding': preferredCoding, Prefer: prefersStrict, client: clientKey },
  'If-None-Match': long => isNotModified({ 'if-none-match': long }, '"x"', now),
  'If-Modified-Since': long => isNotModified({ 'if-modified-since': long }, '"x"', now),
  'X-Forwarded-For': long => clientAddress(request({ 'x-forwarded-for': long })),
  Host: long => requireUnambiguous({ ...(request({ host: long }) as object), httpVersion: '1.1' } as never),
  path: long => pathOf(`/${long}`),
  query: target,
}

/** What reads a setting, an argument or a value of a source. */
const OF_VALUES: Readonly<Record<string, (long: string) => unknown>> = {
  ...Object.fromEntries(Object.entries(values).map(([name, type]) => [name, type().parse])),
  listOf: listOf(integer({ minimum: 0, maximum: 9 })).parse,
  ...{ isDate, shownAddress, withoutSecrets, plainText },
  'time of a history file': fileTimeReader({ timeZone: 'Europe/Jersey', year: 2024 }),
  nearest: long => nearest(long, ['PETROL', 'DIESEL']),
  'address of PostgreSQL': long =>
    readAddress(postgresAddress().parse(`postgres://${long}`).slice('postgres:'.length)),
  'entry of the feed': long => readEntry({ name: long, code: long, spaces: long, status: long }),
  'time of the feed': long => readFeedTime(long, { now, timeZone: 'Europe/Jersey' } as never),
  ...Object.fromEntries(
    DATASETS.flatMap(({ name, record }) =>
      fieldSchemas(record).map(([field, schema]) => {
        const coerce = coercerOf(schema, field)
        return [`${name}.${field}`, (long: string) => coerce(long.slice(0, LENGTH), field, () => {})]
      }),
    ),
  ),
}

/** The CPU time that work takes; what other processes take meanwhile is not in it. */
function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Fails where a text takes longer than the limit each time: the fastest of several is what it takes itself. */
function readsEach(read: (long: string) => unknown, mostMs: number): void {
  for (const long of LONG) {
    let fastest = Number.POSITIVE_INFINITY
    for (let round = 0; round < ROUNDS && fastest > mostMs; round++)
      fastest = Math.min(
        fastest,
        cpuMs(() => {
          try {
            read(long)
          } catch (error) {
            assert.ok(error instanceof Error && error.name !== 'RangeError', String(error))
          }
        }),
      )
    assert.ok(fastest <= mostMs, `${fastest} ms for ${JSON.stringify(long.slice(0, 40))}`)
  }
}

for (const [name, read] of Object.entries(OF_REQUESTS))
  test(`${name}: as long as it may be in a request, it is read or refused within ${REQUEST_MS} ms`, () => {
    let sent = 0
    // Another text each time: some remember what they have read.
    readsEach(long => read(`${sent++}${long}`.slice(0, HTTP_LIMITS.maxHeaderSize)), REQUEST_MS)
  })

for (const [name, read] of Object.entries(OF_VALUES))
  test(`${name}: each value of ${LENGTH} characters is read or refused within ${VALUE_MS} ms`, () =>
    readsEach(read, VALUE_MS))
