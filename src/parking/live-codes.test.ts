import assert from 'node:assert/strict'
import { test } from 'node:test'
import { liveCodes } from './live-codes.ts'

const entry = (code: string) => ({ code, name: code, spaces: 1, status: 'Open', open: true })
const check = liveCodes('liveTrackingCode', {
  latestObservation: async () => ({ timestamp: '2024-02-04T00:00:00.000Z', entries: [entry('GREENST')] }),
  keptHistory: async () => [{ code: 'SANDST', name: 'Sand Street', first: 0, last: 1 }],
})

test('codes that the feed or the history has are missed, by name; others are not', async () => {
  assert.deepEqual(
    await check.findings([
      { value: 'GreenSt', name: 'Green Street' },
      { value: 'SANDST', name: 'Sand Street' },
      { value: 'NEVER', name: 'Never Counted' },
    ]),
    ['live parking would lose Green Street (GreenSt), Sand Street (SANDST)'],
  )
  assert.deepEqual(await check.findings([{ value: 'NEVER', name: 'Never Counted' }]), [])
  assert.deepEqual(await check.findings([]), [])
})
