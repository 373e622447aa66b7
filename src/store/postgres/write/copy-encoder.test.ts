import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VEHICLES, vehicles } from '../../../../test/support/stored-vehicles.ts'
import type { StoredRecord } from '../../../query/query.ts'
import { contentOf } from '../../encoding/content.ts'
import { copyEncoder } from './copy-encoder.ts'

const TWO_CORES = 2

/** Enough that the thread encodes most of them. */
const MANY = 45_003

const keyOf = (record: StoredRecord): string => String(record.hash)

test('the producer waits for the consumer', async () => {
  const records = vehicles(MANY)
  let isBehind = true
  let go = () => {}
  const gone = new Promise<void>(resolve => {
    go = resolve
  })
  const out = copyEncoder(VEHICLES, () => (isBehind ? gone : undefined), TWO_CORES)
  let added = 0
  const adding = (async () => {
    for (const record of records) {
      const waits = out.add(keyOf(record), contentOf(record), record)
      added++
      // Until the thread encodes them, rows are sent at once.
      if (added > 20_000) await waits
    }
  })()
  // Everything is sent once a turn of the event loop adds no more.
  for (let before = -1; before !== added; ) {
    before = added
    await new Promise(resolve => setImmediate(resolve))
  }
  assert.ok(added > 20_000 && added <= 22_000, `${added} were taken`)
  isBehind = false
  go()
  await adding
  await out.end()
  assert.equal(added, MANY)
})
