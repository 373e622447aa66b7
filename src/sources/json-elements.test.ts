import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createJsonSplitter, type JsonElement } from './json.ts'
import { Refusal } from './source-row.ts'

/** The splitter's result for the text in chunks of these sizes. */
function split(text: string, sizes: readonly number[] = []): JsonElement[] {
  const splitter = createJsonSplitter()
  const elements: JsonElement[] = []
  let at = 0
  for (const size of sizes) {
    elements.push(...splitter.push(text.slice(at, at + size)))
    at += size
  }
  elements.push(...splitter.push(text.slice(at)))
  splitter.end()
  return elements
}

const values = (elements: readonly JsonElement[]) => elements.map(({ value }) => value)
const sizes = fc.array(fc.integer({ min: 0, max: 9 }))
const space = fc.constantFrom('', ' ', '\n', '\t', '\r\n', '\n\n  ')

/** JSON with `results` anywhere among other members, or only a list, with whitespace in all allowed places. */
const source = fc
  .record({
    list: fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 6 }),
    others: fc.dictionary(
      fc.string().filter(name => name !== 'results' && name !== 'features'),
      fc.jsonValue({ maxDepth: 2 }),
      { maxKeys: 3 },
    ),
    at: fc.nat(3),
    wrapped: fc.boolean(),
    indent: fc.constantFrom(undefined, 1, '\t'),
    before: space,
    after: space,
  })
  .map(({ list, others, at, wrapped, indent, before, after }) => {
    const members = Object.entries(others)
    members.splice(at, 0, ['results', list])
    const whole = wrapped ? Object.fromEntries(members) : list
    return { list, text: before + JSON.stringify(whole, null, indent) + after }
  })

test('gives what JSON.parse gives, however the text is cut into pieces', () => {
  fc.assert(
    fc.property(source, sizes, ({ list, text }, pieces) => {
      assert.deepEqual(values(split(text, pieces)), JSON.parse(JSON.stringify(list)))
    }),
  )
})

test('accepts a damaged text only where JSON.parse does', () => {
  const damaged = source.chain(({ text }) =>
    fc
      .tuple(
        fc.nat(text.length),
        fc.nat(3),
        fc.constantFrom('', '"', ',', ']', '}', '{', ':', '\\', '1', 'x'),
        sizes,
      )
      .map(([at, length, instead, pieces]) => ({
        text: text.slice(0, at) + instead + text.slice(at + length),
        pieces,
      })),
  )
  fc.assert(
    fc.property(damaged, ({ text, pieces }) => {
      let elements: unknown[]
      try {
        elements = values(split(text, pieces))
      } catch (error) {
        assert.ok(error instanceof Refusal)
        assert.equal(hasList(text), false, `refused with: ${error.message}`)
        return
      }
      const whole = JSON.parse(text)
      assert.deepEqual(elements, Array.isArray(whole) ? whole : whole.results)
    }),
    { numRuns: 2000 },
  )
})

/** Whether JSON has exactly one list: where "results" occurs twice, JSON.parse silently takes the last. */
function hasList(text: string): boolean {
  try {
    const whole = JSON.parse(text)
    return Array.isArray(whole) || (Array.isArray(whole?.results) && text.split('"results"').length === 2)
  } catch {
    return false
  }
}

test('gives the line on which each element starts', () => {
  const elements = split('{"pagination":\n{"a":\n1},\n"results":[{"a":\n"x"},\r\n\n  {"b":2},{"c":3}\n]}')
  assert.deepEqual(
    elements.map(({ line }) => line),
    [4, 7, 7],
  )
})

test('refuses anything but a list of records, and says what is wrong', () => {
  const refused = (text: string, message: RegExp) =>
    assert.throws(() => split(text), { name: 'Refusal', message })
  refused('{"results":[{"a":1},', /ends on line 1 in the middle/)
  refused('[{"a":1}', /in the middle/)
  refused('[1]\n[2]', /line 2: "\["/)
  refused('[1] x', /line 1: "x"/)
  refused('[1,]', /line 1: "\]"/)
  refused('[\n{"a":nan}]', /line 2: nan is no value of JSON; write null/)
  refused('[\n{"a":"nan" 1}]', /starts on line 2 is not JSON/)
  refused('{"rows":[1]}', /must be a list of records, or an object whose "results" is one/)
  refused('{"results":{"a":1}}', /"results" is not a list/)
  refused('{"results":[],"results":[]}', /occurs twice/)
  refused('{1:2}', /line 1: 1 stands where/)
  refused(`[${'['.repeat(200_000)}`, /nested more than 100 deep/)
  refused(`[\n"${'a'.repeat(2 << 20)}"]`, /starts on line 2 has more than/)
})

test('a member named __proto__ is data', () => {
  const [element] = split('[{"__proto__":{"polluted":true}}]')
  assert.deepEqual(Object.keys(element?.value as object), ['__proto__'])
  assert.equal(({} as { polluted?: boolean }).polluted, undefined)
})
