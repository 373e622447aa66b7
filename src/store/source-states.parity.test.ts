import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryStore } from '../../test/support/service.ts'
import { ENGINES } from '../../test/support/store-engines.ts'
import type { SourceState } from './store.ts'

const AT = '2026-01-02T03:04:05.678Z'
const state = (dataset: string, failures: number): SourceState => ({
  dataset,
  failures,
  configuration: 'abc',
  triedAt: AT,
  outcome: 'failed',
  reason: '“404” \\ \n',
  succeededAt: null,
  changed: { at: AT, release: 3 },
  refused: null,
  failingSince: AT,
  dueAt: AT,
  validators: { etag: '"\\x"' },
  hash: null,
  days: [{ date: '2026-01-02', succeeded: 11, failed: 1 }],
})

for (const { name, emptyStore } of ENGINES)
  test(`${name}: the states of sources are kept, one for each dataset`, async t => {
    const { sources } = await temporaryStore(t, await emptyStore(t))
    assert.deepEqual(await sources.list(), [])
    await sources.save(state('toilets', 1))
    await sources.save(state('recycling', 1))
    await sources.save(state('toilets', 2))
    // Stores of earlier versions have states without days.
    const { days: _, ...earlier } = state('vehicles', 0)
    await sources.save(earlier)
    assert.deepEqual(await sources.list(), [state('recycling', 1), state('toilets', 2), earlier])
  })
