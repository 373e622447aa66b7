import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFlags } from './flags.ts'
import { coreNumbers } from './servers/machine.ts'

test('without flags both usual sizes are measured, ten million only when asked for', () => {
  assert.deepEqual(readFlags([])?.rows, [131_000, 1_000_000])
  assert.deepEqual(readFlags(['--quick'])?.rows, [131_000])
  assert.deepEqual(readFlags(['--rows', '5000,200', '--ten-million'])?.rows, [200, 5000, 10_000_000])
  assert.equal(readFlags(['--help']), undefined)
})

test('at least nine rounds are measured, quick or not', () => {
  assert.equal(readFlags([])?.rounds, 9)
  assert.equal(readFlags(['--quick'])?.rounds, 25)
})

test('what is given wins over what a quick run has', () => {
  const flags = readFlags(['--quick', '--seconds', '2.5', '--rounds', '7', '--only', 'MIX'])
  assert.equal(flags?.seconds, 2.5)
  assert.equal(flags?.rounds, 7)
  assert.ok(flags?.only?.test('mix, no cache'))
})

test('what is no number and what is no flag is refused', () => {
  assert.throws(() => readFlags(['--rows', 'many']), /--rows "many" is no positive number/)
  assert.throws(() => readFlags(['--rounds', '1.5']), /--rounds "1.5" is no whole number/)
  assert.throws(() => readFlags(['--seconds', '0']), /no positive number/)
  assert.throws(() => readFlags(['--fast']), /--fast/)
})

test('a list of cores has ranges and single ones', () => {
  assert.deepEqual(coreNumbers('0-2,5'), [0, 1, 2, 5])
  assert.deepEqual(coreNumbers('3'), [3])
  assert.deepEqual(coreNumbers(''), [])
})
