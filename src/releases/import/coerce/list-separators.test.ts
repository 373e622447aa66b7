import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { KNOWN_VALUES } from '../../../query/fields.ts'
import type { SourceRow } from '../../../sources/source-row.ts'
import { createListSeparators } from './coerce.ts'

const record = Type.Object({
  name: Type.String(),
  services: Type.Unsafe({ type: 'array', items: { type: 'string', enum: ['GLASS', 'PAPER', 'METAL'] } }),
  uses: Type.Unsafe({ type: 'array', items: { type: 'string', [KNOWN_VALUES]: ['BOATS', 'CARS'] } }),
  notes: Type.Unsafe({ type: 'array', items: { type: 'string' } }),
})

const rows = (field: 'services' | 'uses' | 'notes', cells: readonly unknown[], firstLine = 2): SourceRow[] =>
  cells.map((cell, at) => ({
    line: firstLine + at,
    values: [
      'A, B; C | D',
      ...['services', 'uses', 'notes'].map(name => (name === field ? cell : undefined)),
    ],
    columns: new Map(),
  }))

function found(field: 'services' | 'uses' | 'notes', ...batches: readonly unknown[][]): string {
  const separators = createListSeparators({ record })
  for (const cells of batches) separators.weigh(rows(field, cells))
  return separators.separatorOf(field)
}

test('the separator that leaves the fewest items unknown', () => {
  for (const field of ['services', 'uses'] as const) {
    const [one, two] = field === 'services' ? ['glass', 'PAPER'] : ['boats', 'CARS']
    for (const separator of [',', ';', '|']) {
      assert.equal(found(field, ['', one, `${one}${separator} ${two}`]), separator)
      // One mistake, or an item with a comma, makes no difference.
      const others = [',', ';', '|'].filter(other => other !== separator)
      for (const other of others)
        assert.equal(
          found(field, [`oil${other}tar`, `${one}${separator}${two}`, `${two}${separator}${one}`]),
          separator,
        )
    }
  }
})

test('free text with commas in it is split by the separator that is stronger than a comma', () => {
  assert.equal(found('notes', ['by car, or boat', 'by car, or boat|on foot']), '|')
  assert.equal(found('notes', ['by car, or boat; on foot']), ';')
  assert.equal(found('notes', ['by car, or boat']), ',')
})

test('a field without a list of more than one item, JSON and other values need no separator', () => {
  assert.equal(found('services', ['', 'GLASS', '["GLASS;"]', ['A|B'], null, 1]), ',')
})

test('each field has its own', () => {
  const separators = createListSeparators({ record })
  separators.weigh([...rows('services', ['GLASS|PAPER']), ...rows('uses', ['BOATS;CARS'])])
  assert.deepEqual(['services', 'uses', 'notes'].map(separators.separatorOf), ['|', ';', ','])
})

test('a later batch that contradicts the rows already split refuses the source with its line', () => {
  const separators = createListSeparators({ record })
  separators.weigh(rows('notes', ['by car, or boat']))
  separators.weigh(rows('notes', ['by car, or boat'], 3))
  assert.throws(() => separators.weigh(rows('notes', ['by car', 'by car|on foot'], 4)), {
    name: 'Refusal',
    message:
      'the items of notes are separated by "," at first, but by "|" on line 5; say which is right with --list-separator',
  })
})

test('a chosen separator is not questioned', () => {
  const separators = createListSeparators({ record }, ';')
  separators.weigh(rows('services', ['GLASS|PAPER', 'GLASS,PAPER']))
  assert.equal(separators.separatorOf('services'), ';')
})
