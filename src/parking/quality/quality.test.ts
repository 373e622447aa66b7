import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { explain, QUALITIES, REASONS, type Reason } from './quality.ts'
import { THRESHOLDS } from './thresholds.ts'

const reasons = Object.keys(REASONS) as Reason[]

describe('reasons', () => {
  it('exist for every quality, and for no other', () => {
    assert.deepEqual(new Set(reasons.map(reason => REASONS[reason].quality)), new Set(QUALITIES))
  })

  it('are codes that machines can hold on to, each with one sentence for people', () => {
    for (const reason of reasons) {
      assert.match(reason, /^[a-z]+(-[a-z]+)*$/)
      assert.match(explain(reason), /^[A-Z][^.]*\.$/)
    }
  })

  it('stand in the order of the qualities, but that having no record comes first', () => {
    const places = reasons
      .filter(reason => reason !== 'no-car-park-record')
      .map(reason => QUALITIES.indexOf(REASONS[reason].quality))
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    )
  })

  it('name the minutes that the thresholds have', () => {
    assert.ok(explain('reading-too-old').includes(`${THRESHOLDS.staleAfterMs / 60_000} minutes`))
  })
})
