import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columns, shortHash, size, span, visible } from './text.ts'

test('durations and sizes have a suitable unit', () => {
  const spans = [0, 850, 4200, 119_000, 180_000, 7_200_000, 172_800_000]
  assert.deepEqual(spans.map(span), ['0 ms', '850 ms', '4.2 s', '119 s', '3 min', '2 h', '2 days'])
  assert.deepEqual([0, 1023, 1024, 36_614_523_289].map(size), ['0 bytes', '1,023 bytes', '1 KiB', '34.1 GiB'])
})

test('a hash is shortened to a distinctive prefix', () => {
  assert.equal(shortHash('121c70d140b15fc475e4141f9bf3d8a7'), '121c70d140b1…')
})

test('columns are aligned, without blanks at the end', () => {
  assert.deepEqual(
    columns(
      [
        ['a', '1', ''],
        ['bb', '22', 'x'],
      ],
      ['left', 'right'],
    ),
    ['a    1', 'bb  22  x'],
  )
})

test('the content of a source cannot control the terminal', () => {
  const hostile = 'a\u001b[2Jb\nc\u202ed\u2028e\u009bf'
  assert.equal(visible(hostile), 'a\\u{1b}[2Jb\\u{a}c\\u{202e}d\\u{2028}e\\u{9b}f')
  assert.equal(visible('St. Hélier “old” 🚗'), 'St. Hélier “old” 🚗')
})
