import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chanceOfTen } from './chance.ts'
import { HORIZONS } from './parameters.ts'

const share = fc.double({ min: 0, max: 1, noNaN: true })
const spaces = fc.double({ min: -50, max: 1000, noNaN: true })
const deviation = fc.double({ min: 0, max: 300, noNaN: true })
const horizon = fc.nat(HORIZONS.length - 1)

test('a chance is from 0 to 1, and never falls where more spaces are expected', () => {
  fc.assert(
    fc.property(horizon, spaces, deviation, share, spaces, (at, expected, deviation, enough, more) => {
      const chance = chanceOfTen(at, { expected, deviation, enough })
      const other = chanceOfTen(at, { expected: expected + Math.abs(more), deviation, enough })
      assert.ok(chance >= 0 && chance <= other && other <= 1, `${chance} ${other}`)
    }),
  )
})

test('a chance never falls where more of the similar days had enough spaces', () => {
  fc.assert(
    fc.property(horizon, spaces, deviation, share, share, (at, expected, deviation, one, other) => {
      const chances = [one, other]
        .toSorted((a, b) => a - b)
        .map(enough => chanceOfTen(at, { expected, deviation, enough }))
      assert.deepEqual(chances.toSorted(), chances)
    }),
  )
})

test('far above and far below ten spaces there is hardly a doubt, and less the surer the forecast', () => {
  for (const at of HORIZONS.keys()) {
    assert.ok(chanceOfTen(at, { expected: 200, deviation: 10, enough: 1 }) >= 0.99)
    assert.ok(chanceOfTen(at, { expected: 0, deviation: 1, enough: 0 }) <= 0.01)
    const [sure, unsure] = [4, 40].map(deviation => chanceOfTen(at, { expected: 20, deviation, enough: 0.9 }))
    assert.ok((sure ?? 0) > (unsure ?? 1))
  }
})
