import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { entry, payload } from '../../../test/support/misbehaving-upstream.ts'
import { FetchError, type FetchErrorKind } from '../../sources/fetch/fetch-error.ts'
import { mapFeed, parseJsonText } from './mapping.ts'
import { readFeedTime } from './time-text.ts'

const map = (text: string) => mapFeed(parseJsonText(text))
const codesOf = (entries: readonly { code: string }[]) => entries.map(({ code }) => code)
const ofKind = (kind: FetchErrorKind) => (error: unknown) =>
  error instanceof FetchError && error.kind === kind

/** The result of mapping an entry next to a good one. */
function beside(raw: unknown): { codes: string[]; warnings: readonly string[] } {
  const { entries, warnings } = map(payload([entry('GOOD'), raw as object]))
  return { codes: codesOf(entries), warnings }
}

test('mapping: the five fields of the contract and no other', () => {
  const { entries, timeText, warnings } = map(payload([entry('GREENST', 332)], 'any text'))
  const expected = { name: 'Car park GREENST', code: 'GREENST', spaces: 332, status: 'good', open: true }
  assert.deepEqual(entries, [expected])
  assert.deepEqual(Object.keys(entries[0] ?? {}), ['name', 'code', 'spaces', 'status', 'open'])
  assert.equal(timeText, 'any text')
  assert.deepEqual(warnings, [])
})

test('mapping: regions under any key are joined in order; other keys beside them do no harm', () => {
  const carparkData = {
    North: { carpark: [entry('B'), entry('A')] },
    note: 'text',
    version: 2,
    odd: { carpark: 'none' },
    South: { carpark: [entry('C')] },
    single: { carpark: entry('D') },
    TIMESTAMP: 'then',
  }
  const { entries, timeText } = mapFeed({ carparkData })
  assert.deepEqual(codesOf(entries), ['B', 'A', 'C', 'D'])
  assert.equal(timeText, 'then')
})

test('mapping: a time text beside carparkData is found; one that is no text is none', () => {
  const carparkData = { Jersey: { carpark: [entry('A')] } }
  assert.equal(mapFeed({ carparkData, timestamp: 'then' }).timeText, 'then')
  assert.equal(mapFeed({ carparkData, timestamp: 17 }).timeText, undefined)
  assert.equal(mapFeed({ carparkData }).timeText, undefined)
})

test('mapping: numbers and flags may be text, a byte order mark may go first', () => {
  const odd = { ...entry('A', ' 42 '), carparkOpen: 'False', status: 'Chiusö' }
  const { entries } = map(`\uFEFF${payload([odd, entry('B', '0'), entry('C', 100_000), entry('D', '7.0')])}`)
  assert.deepEqual(
    entries.map(({ spaces }) => spaces),
    [42, 0, 100_000, 7],
  )
  assert.equal(entries[0]?.open, false)
  assert.equal(entries[0]?.status, 'Chiusö')
})

test('mapping: text is one line without control characters', () => {
  const raw = { ...entry('A'), name: ' Green\r\n  Street\u0000\u001b[31m\u202e ', status: '\tgood\u2028' }
  const [mapped] = map(payload([raw])).entries
  assert.equal(mapped?.name, 'Green Street[31m')
  assert.equal(mapped?.status, 'good')
})

const MALFORMED: readonly [string, unknown, RegExp][] = [
  ['null', null, /it is null/],
  ['a list', [], /it is a list/],
  ['a number', 5, /it is 5/],
  ['no code', { ...entry('X'), code: undefined }, /code is missing/],
  ['a blank code', entry(' \u0000 '), /code is blank/],
  ['a number for a code', { ...entry('X'), code: 7 }, /code is 7, not text/],
  ['no name', { ...entry('X'), name: undefined }, /name is missing/],
  ['an over-long name', { ...entry('X'), name: 'n'.repeat(201) }, /name has 201 characters, more than 200/],
  ['an over-long code', entry('c'.repeat(65)), /code has 65 characters/],
  ['an object for a status', { ...entry('X'), status: {} }, /status is an object/],
  ['no spaces', entry('X', null), /spaces is null/],
  ['negative spaces', entry('X', -1), /spaces is -1, below 0/],
  ['negative spaces in text', entry('X', '-4'), /spaces is -4/],
  ['half a space', entry('X', 1.5), /spaces is 1.5, not a whole number/],
  ['too many spaces', entry('X', 100_001), /more than 100000/],
  ['too many spaces in text', entry('X', '9'.repeat(15)), /more than 100000/],
  ['hexadecimal spaces', entry('X', '0x10'), /spaces is "0x10", not a number/],
  ['blank spaces', entry('X', ''), /spaces is "", not a number/],
  ['true spaces', entry('X', true), /spaces is true/],
  ['a list of spaces', entry('X', [3]), /spaces is a list/],
  ['open in another language', { ...entry('X'), carparkOpen: 'yes' }, /carparkOpen is "yes"/],
  ['open as a number', { ...entry('X'), carparkOpen: 1 }, /carparkOpen is 1/],
  ['a code of __proto__', entry('__proto__'), /code is __proto__/],
  ['the same code again', entry('GOOD', 5), /earlier entry has the same code/],
  ['the same code in other letters', entry('good', 5), /earlier entry has the same code/],
]

for (const [what, raw, reason] of MALFORMED)
  test(`mapping: an entry is dropped and says why: ${what}`, () => {
    const { codes, warnings } = beside(raw)
    assert.deepEqual(codes, ['GOOD'])
    assert.equal(warnings.length, 1)
    assert.match(warnings[0] ?? '', reason)
    assert.match(warnings[0] ?? '', /^entry 2 \(code .*\) dropped: /)
  })

test('mapping: a car park whose count alone cannot be used is listed without one', () => {
  const uncounted = (raw: object) => map(payload([entry('GOOD', 5), raw])).uncounted
  const without = { name: 'Name of X', code: 'X', status: 'good', open: true }
  for (const spaces of [null, undefined, -4, 'n/a', '', 1.5, 100_001, [3]])
    assert.deepEqual(uncounted({ ...entry('X'), name: 'Name of X', spaces }), [without])
  for (const raw of [
    entry('X', 5),
    { ...entry('X', -1), carparkOpen: 'yes' },
    entry('', -1),
    entry('good', -1),
  ])
    assert.deepEqual(uncounted(raw), [], JSON.stringify(raw))
})

test('mapping: a closed car park without a count is no fault', () => {
  const closed = { ...entry('X', null), carparkOpen: 'false' }
  const { uncounted, warnings } = map(payload([entry('GOOD', 5), closed]))
  assert.deepEqual([uncounted[0]?.open, warnings], [false, []])
})

test('mapping: 1e999 spaces are dropped', () => {
  const text = payload([entry('GOOD'), entry('X', 12345)]).replace('12345', '1e999')
  const { entries, warnings } = map(text)
  assert.deepEqual(codesOf(entries), ['GOOD'])
  assert.match(warnings[0] ?? '', /Infinity/)
})

test('mapping: __proto__ pollutes nothing', () => {
  const inherited = '{"__proto__":{"name":"N","code":"C","spaces":1,"status":"good","carparkOpen":true}}'
  const list = `{"carpark":[${JSON.stringify(entry('GOOD'))},${inherited}]}`
  const { entries, warnings } = map(
    `{"carparkData":{"__proto__":${list},"constructor":{"prototype":{"x":1}}}}`,
  )
  assert.deepEqual(codesOf(entries), ['GOOD'])
  assert.match(warnings[0] ?? '', /__proto__/)
  assert.equal(Object.hasOwn(Object.prototype, 'name'), false)
  assert.equal(({} as Record<string, unknown>).x, undefined)
  const names = ['constructor', 'toString', 'hasOwnProperty']
  assert.deepEqual(codesOf(map(payload(names.map(name => entry(name)))).entries), names)
})

test('mapping: 500 entries are accepted, 501 are not', () => {
  const list = (length: number) => Array.from({ length }, (_, index) => entry(`P${index}`))
  assert.equal(map(payload(list(500))).entries.length, 500)
  assert.throws(() => map(payload(list(501))), ofKind('too-large'))
})

test('mapping: an empty list, or none that is usable, is a failure', () => {
  assert.throws(() => map(payload([])), ofKind('empty'))
  assert.throws(() => map('{"carparkData":{}}'), ofKind('empty'))
  assert.throws(() => map(payload([entry('A', -1)])), /no entry is usable: entry 1 .*below 0/)
})

test('mapping: another shape is unreadable', () => {
  for (const text of [
    'null',
    '[]',
    '"text"',
    '1',
    '{}',
    '{"carparkData":[]}',
    '{"results":[]}',
    '{"carparkData":null}',
  ])
    assert.throws(() => map(text), ofKind('unreadable'), text)
})

test('mapping: text that is not whole JSON is unreadable', () => {
  const whole = payload([entry('A')])
  for (const text of [
    '',
    ' \n',
    '\uFEFF',
    whole.slice(0, -1),
    `${whole}}`,
    '<html>',
    whole.replace('{', '{{'),
  ])
    assert.throws(() => map(text), ofKind('unreadable'), text)
})

test('mapping: brackets within strings are no depth, 200,000 levels are refused', () => {
  const name = `${'[{'.repeat(50)}"\\`
  assert.equal(map(payload([{ ...entry('A'), name }])).entries[0]?.name, name)
  assert.throws(() => parseJsonText('['.repeat(200_000) + ']'.repeat(200_000)), /more than 32 levels/)
  assert.throws(() => parseJsonText('{"a":'.repeat(200_000)), /more than 32 levels/)
})

test('mapping: any JSON gives entries that are right, or a feed error', () => {
  const anything = fc.oneof(fc.jsonValue(), fc.integer(), fc.string())
  const odd = fc.record({
    name: anything,
    code: anything,
    spaces: anything,
    status: anything,
    carparkOpen: anything,
  })
  const keys = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'Timestamp'))
  const regions = fc.dictionary(
    keys,
    fc.oneof(anything, fc.record({ carpark: fc.array(fc.oneof(odd, anything)) })),
  )
  fc.assert(
    fc.property(regions, carparkData => {
      const text = JSON.stringify({ carparkData })
      try {
        for (const { name, code, spaces, status, open } of map(text).entries) {
          assert.ok(name && code && status && typeof open === 'boolean')
          assert.ok(Number.isInteger(spaces) && spaces >= 0 && spaces <= 100_000)
        }
      } catch (error) {
        if (!(error instanceof FetchError)) throw error
      }
      assert.deepEqual(Object.keys(Object.prototype), [])
    }),
    { numRuns: 2000 },
  )
})

const REAL = new URL('../../../../shared/data/live-feed/', import.meta.url)
const EXPECTED: Record<string, [number, string]> = {
  'carpark-data.docs-sample-2023-08-29.json': [1, '2023-08-29T02:32:48.000Z'],
  'RECONSTRUCTED-2024-02-04-seven-entries-with-TEST.json': [7, '2024-02-04T23:36:16.000Z'],
  'RECONSTRUCTED-2024-02-06-TEST-closed.json': [7, '2024-02-06T09:35:56.000Z'],
  'RECONSTRUCTED-2024-02-16-eight-entries-order-changed.json': [8, '2024-02-16T14:14:19.000Z'],
}

const missing = existsSync(REAL) ? false : 'the folder shared/data/live-feed is absent'
test('mapping: the real payloads', { skip: missing }, () => {
  const files = readdirSync(REAL).filter(name => !name.startsWith('seed-api'))
  assert.deepEqual(files.sort(), Object.keys(EXPECTED).sort())
  for (const [file, [count, timestamp]] of Object.entries(EXPECTED)) {
    const text = readFileSync(new URL(file, REAL), 'utf8')
    const { entries, timeText = '', warnings } = map(text)
    assert.equal(entries.length, count, file)
    assert.deepEqual(warnings, [], file)
    const now = new Date(Date.parse(timestamp) + 40_000)
    const { at } = readFeedTime(timeText, { now, timeZone: 'Europe/Jersey' })
    assert.equal(at === undefined ? undefined : new Date(at).toISOString(), timestamp)
    if (file.includes('TEST')) assert.equal(entries.find(({ code }) => code === 'TEST')?.spaces, 100)
    if (file.includes('closed')) assert.equal(entries.at(-1)?.open, false)
  }
})
