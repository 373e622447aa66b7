import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFlags } from './flags.ts'

test('without flags the synthetic past is tested, each quarter of an hour', () => {
  assert.deepEqual(readFlags([]), {
    files: [],
    from: undefined,
    to: undefined,
    every: 15,
    timeZone: 'Europe/Jersey',
  })
  assert.equal(readFlags(['--help']), undefined)
})

test('days, step and files are taken, and refused where they are none', () => {
  const files = ['--history', 'a.csv', '--history', 'b.csv']
  const flags = readFlags(['--from', '2025-03-01', '--to', '2025-10-31', '--every', '5', ...files])
  assert.deepEqual([flags?.from, flags?.to, flags?.every], ['2025-03-01', '2025-10-31', 5])
  assert.deepEqual(flags?.files, ['a.csv', 'b.csv'])
  assert.throws(() => readFlags(['--from', 'March']), /--from "March" is no day/)
  assert.throws(() => readFlags(['--every', '7']), /--every "7" is no multiple of 5/)
})
