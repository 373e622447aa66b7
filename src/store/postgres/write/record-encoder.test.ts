import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesCell, copyLine } from './record-encoder.ts'

test('a row is a line with tabs between its cells, empty ones as well', () => {
  assert.equal(copyLine(['', '', null, 1.5, 'é']), '\t\t\\N\t1.5\té\n')
  assert.equal(copyLine(['']), '\n')
})

test('characters that would end a cell or a line are escaped', () => {
  assert.equal(copyLine(['a\tb\nc\rd\\N']), 'a\\tb\\nc\\rd\\\\N\n')
})

test('bytes are the same however they are given', () => {
  assert.equal(copyLine([Buffer.from('00ff', 'hex')]), '\\\\x00ff\n')
  assert.equal(copyLine([bytesCell('00ff')]), '\\\\x00ff\n')
})
