import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HOUR_MS } from '../../../test/support/made-up-counts.ts'
import { createCommonFailure, type Suspect } from './common-failure.ts'

const suspect = (code: string, changedAt: number, stuckSince?: number): Suspect => ({
  code,
  changedAt: changedAt * HOUR_MS,
  stuckSince: stuckSince === undefined ? null : stuckSince * HOUR_MS,
})

const found = (common: ReturnType<typeof createCommonFailure>, suspects: readonly Suspect[]) =>
  Object.fromEntries([...common.detect(suspects)].map(([code, since]) => [code, since / HOUR_MS]))

/** Two fail together, and a third moves after that, or has stood still since before. */
const WENT_ON = [suspect('A', 1, 1), suspect('B', 1, 1), suspect('FULL', 3)]
const STANDS = [suspect('A', 10, 10), suspect('B', 10, 10), suspect('FULL', 8)]

describe('a common failure', () => {
  it('takes in who has not moved since two others stopped, from when they did', () => {
    const common = createCommonFailure()
    const suspects = [suspect('A', 10, 10), suspect('B', 10.5, 10.5), suspect('FULL', 8), suspect('GOES', 12)]
    assert.deepEqual(found(common, suspects), { FULL: 10 })
  })

  it('is not told from one other', () => {
    assert.deepEqual(found(createCommonFailure(), [suspect('A', 10, 10), suspect('FULL', 8)]), {})
  })

  it('is not told from two that stopped hours apart', () => {
    const suspects = [suspect('A', 10, 10), suspect('B', 14, 14), suspect('FULL', 8)]
    assert.deepEqual(found(createCommonFailure(), suspects), {})
  })

  it('is told beside one that broke down for good long ago', () => {
    const suspects = [suspect('OLD', 1, 1), ...STANDS]
    assert.deepEqual(found(createCommonFailure(), suspects), { FULL: 10 })
  })

  it('does not take in who went on counting when they failed before, until its code is forgotten', () => {
    const common = createCommonFailure()
    common.detect(WENT_ON)
    assert.deepEqual(found(common, STANDS), {})
    common.forget('FULL')
    assert.deepEqual(found(common, STANDS), { FULL: 10 })
  })

  it('takes in who failed with them before, though it once went on', () => {
    const common = createCommonFailure()
    common.detect(WENT_ON)
    common.detect([suspect('A', 5, 5), suspect('B', 5, 5), suspect('FULL', 5, 5)])
    assert.deepEqual(found(common, STANDS), { FULL: 10 })
  })
})
