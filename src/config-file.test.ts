import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import Type from 'typebox'
import { ConfigError } from './config.ts'
import { readConfigFile } from './config-file.ts'

const Schedule = Type.Object(
  {
    sources: Type.Array(
      Type.Object(
        {
          dataset: Type.Unsafe<string>({ type: 'string', enum: ['toilets', 'recycling'] }),
          every: Type.String({ pattern: '^\\d+h$', description: 'an interval such as 6h' }),
        },
        { additionalProperties: false },
      ),
      { description: 'a list of sources' },
    ),
  },
  { additionalProperties: false },
)

describe('a configuration file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pds-config-'))
  after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'sources.json')
  const read = (text: string) => {
    writeFileSync(path, text)
    return readConfigFile('SOURCES', path, Schedule)
  }

  test('is read and validated, with or without a byte order mark', () => {
    const source = { dataset: 'toilets', every: '6h' }
    const text = JSON.stringify({ sources: [source] })
    assert.deepEqual(read(text), { sources: [source] })
    assert.deepEqual(read(`\uFEFF${text}`), { sources: [source] })
  })

  const WRONG: readonly [name: string, text: string, reason: RegExp][] = [
    ['text that is not JSON', 'sources: []', /^SOURCES: \/\S+sources\.json: is not JSON: /],
    ['a missing member', '{}', /: lacks sources$/],
    ['another type', '{"sources": {}}', /, \/sources: is \{\}; allowed: a list of sources$/],
    [
      'an unknown member',
      '{"sources": [{"dataset": "toilets", "every": "6h", "evry": 1}]}',
      /, \/sources\/0: has "evry", which is unknown; did you mean "every"\? Allowed: dataset, every$/,
    ],
    [
      'a value that is not in the list',
      '{"sources": [{"dataset": "loos", "every": "6h"}]}',
      /, \/sources\/0\/dataset: is "loos"; allowed: toilets, recycling$/,
    ],
    [
      'a value of another form',
      '{"sources": [{"dataset": "toilets", "every": "six"}]}',
      /, \/sources\/0\/every: is "six"; allowed: an interval such as 6h$/,
    ],
  ]
  for (const [name, text, reason] of WRONG)
    test(`is refused in one line for ${name}`, () => {
      assert.throws(
        () => read(text),
        (error: Error) => {
          assert.ok(error instanceof ConfigError)
          assert.match(error.message, reason)
          assert.doesNotMatch(error.message, /\n/)
          return true
        },
      )
    })

  test('is refused where there is none', () => {
    assert.throws(
      () => readConfigFile('SOURCES', join(folder, 'none.json'), Schedule),
      /none\.json: cannot be read \(ENOENT\); name a JSON file that is there$/,
    )
  })
})
