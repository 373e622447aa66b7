import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { heldMb } from '../../test/support/held-memory.ts'
import { Problem } from '../errors.ts'
import { integer, listOf, oneOf, text } from '../values/values.ts'
import { queryReader, reportUnknownParameters } from './parameters.ts'
import { problemBody } from './problems.ts'
import type { ParsedRequest } from './request.ts'

const parameters = {
  page: { type: integer({ minimum: 1, maximum: 100 }), default: 1, description: 'The page.' },
  make: { type: text({ maxLength: 20 }), description: 'The make.' },
  match: { type: oneOf(['contains', 'exact']), default: 'contains', description: 'How.' },
} as const

const readQuery = queryReader(parameters)

test('an empty value is as if the parameter were not sent, also beside one that is', () => {
  assert.deepEqual(readQuery('page=&make=&match='), readQuery(''))
  assert.deepEqual(readQuery('make=&make=ford&make'), readQuery('make=ford'))
  assert.deepEqual(readQuery('mke=').unknown, [{ name: 'mke', nearest: 'make' }])
  assert.deepEqual(problemOf(() => readQuery('make=a&make=&make=b')).errors?.[0]?.value, 'b')
})

test('a default that is spelled out is not in the canonical form, nor is a list without entries', () => {
  const list = listOf(oneOf(['a', 'b']))
  const read = queryReader({
    ...parameters,
    by: { type: list, default: ['a', 'b'] as const, description: 'Keys.' },
    include: { type: list, description: 'More.' },
  })
  assert.equal(read('by=a,b&page=01&match=contains&include=,').canonical, '')
  assert.equal(read('by=b&page=2').canonical, 'page=2&by=b')
})

function problemOrNothing(read: () => unknown): Problem | undefined {
  try {
    read()
  } catch (error) {
    assert.ok(error instanceof Problem)
    return error
  }
  return undefined
}

const problemOf = (read: () => unknown): Problem => problemOrNothing(read) ?? assert.fail('it is allowed')

test('however much is wrong, the problem names ten at most, and its body stays below 8 KB', () => {
  const hostile = [
    '%&'.repeat(3600),
    Array.from({ length: 900 }, (_, index) => `%${'%00'.repeat(1)}${index}=%`).join('&'),
    Array.from({ length: 10 }, () => `${'€'.repeat(250)}=%FF`).join('&'),
    'page=1&'.repeat(1000),
    Array.from({ length: 25 }, () => `%${'\u0001'.repeat(300)}=%${'\u0001'.repeat(20)}`).join('&'),
  ]
  for (const query of hostile) {
    const problem = problemOf(() => readQuery(query))
    assert.ok((problem.errors ?? []).length <= 10, query.slice(0, 20))
    assert.match(problem.message, /and \d+ more$/)
    assert.ok(problemBody(problem, `/v1/vehicles?${query}`, 'https://data.example').length < 8192)
  }
  const strict = {
    headers: { prefer: 'handling=strict' },
    responseHeaders: [],
  } as unknown as ParsedRequest
  const { unknown } = readQuery(Array.from({ length: 99 }, (_, i) => `${'\u0001'.repeat(70)}${i}`).join('&'))
  const problem = problemOf(() => reportUnknownParameters(strict, unknown, Object.keys(parameters)))
  assert.ok(problemBody(problem, '/v1/vehicles', '').length < 8192)
})

/** Our time for a query as a multiple of the platform's own parser, by the fastest of 40 alternating rounds of each. */
function timesOfUrlSearchParams(query: string): number {
  const least = (work: () => void, before: number) => {
    const start = performance.now()
    work()
    return Math.min(before, performance.now() - start)
  }
  let [ours, platform] = [Infinity, Infinity]
  for (let round = 0; round < 40; round++) {
    ours = least(() => problemOrNothing(() => readQuery(query)), ours)
    platform = least(() => new URLSearchParams(query), platform)
  }
  return ours / platform
}

test('a query of 8 KB takes a bounded time to read, whatever it is', () => {
  const distinct = Array.from({ length: 2000 }, (_, index) => index.toString(36)).join('&')
  for (const query of ['%&'.repeat(3600), 'a&'.repeat(3600), distinct, `make=${'%41'.repeat(2600)}`]) {
    const times = timesOfUrlSearchParams(query)
    assert.ok(times < 10, `${times} times of URLSearchParams for ${query.slice(0, 20)}`)
  }
})

test('every query either has values of the declared types or is a problem', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), query => {
      try {
        const { values, canonical } = readQuery(query)
        assert.ok(Number.isInteger(values.page) && values.page >= 1 && values.page <= 100)
        assert.deepEqual(readQuery(canonical).values, values)
      } catch (error) {
        assert.ok(error instanceof Problem)
      }
    }),
    { numRuns: 2000 },
  )
})

test('a value holds nothing else of the query that it was sent in', () => {
  const others = `&x=${'x'.repeat(7000)}`
  const held = heldMb(() =>
    Array.from({ length: 3000 }, (_, at) => readQuery(`make=a long make ${at}${others}`).values),
  )
  assert.ok(held < 2, `${held} MB`)
})
