import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startedThreads } from '../../../../test/support/started-threads.ts'
import { VEHICLES, vehicles } from '../../../../test/support/stored-vehicles.ts'
import type { StoredRecord } from '../../../query/query.ts'
import { contentOf } from '../../encoding/content.ts'
import { type CopyEncoder, copyEncoder } from './copy-encoder.ts'
import { recordEncoder } from './record-encoder.ts'

const TWO_CORES = 2

/** Enough that the thread encodes most of them. */
const MANY = 45_003

const keyOf = (record: StoredRecord): string => String(record.hash)

async function addAll(out: CopyEncoder, records: readonly StoredRecord[]): Promise<void> {
  for (const record of records) await out.add(keyOf(record), contentOf(record), record)
}

test('a worker thread encodes the same lines in the same order with the same dictionary', async t => {
  const threads = startedThreads(t)
  const records = vehicles(MANY)
  const here = recordEncoder(VEHICLES)
  const expected = records.map((record, at) => here.line(at + 1, keyOf(record), contentOf(record), record))
  let sent = ''
  const out = copyEncoder(
    VEHICLES,
    lines => {
      sent += Buffer.from(lines as Uint8Array).toString()
      return undefined
    },
    TWO_CORES,
  )
  await addAll(out, records)
  const dictionaries = await out.end()

  assert.ok(sent === expected.join(''), 'the same text')
  assert.deepEqual(dictionaries, here.dictionaries)
  assert.deepEqual(
    threads.map(({ threadId }) => threadId),
    [-1],
    'it has ended',
  )
})

test('few records start no thread, nor do many where one runs at a time', async t => {
  const threads = startedThreads(t)
  for (const [count, cores] of [
    [19_999, TWO_CORES],
    [MANY, 1],
  ] as const) {
    const out = copyEncoder({ kind: 'documents' }, () => undefined, cores)
    await addAll(out, vehicles(count))
    assert.equal((await out.end()).size, 0)
  }
  assert.equal(threads.length, 0)
})

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

test('a record that cannot be stored fails later ones, and one that JSON cannot represent fails at once', async t => {
  const threads = startedThreads(t)
  const out = copyEncoder(VEHICLES, () => undefined, TWO_CORES)
  const records = vehicles(25_000)
  await addAll(out, records)
  const [record = {}] = records
  assert.throws(() => out.add('x', '', { ...record, cylinderCapacity: Number.NaN }), TypeError)
  const wrong = { ...record, firstRegisteredAt: 'yesterday' }
  await assert.rejects(async () => {
    await addAll(out, [wrong, ...records])
    await out.end()
  }, TypeError)
  assert.throws(() => out.add('x', contentOf(record), record), TypeError)
  await out.cancel()
  assert.deepEqual(
    threads.map(({ threadId }) => threadId),
    [-1],
  )
})

test('a failing consumer fails the rest', async () => {
  const out = copyEncoder(
    VEHICLES,
    lines => {
      if (typeof lines !== 'string') throw new Error('the disk is full')
      return undefined
    },
    TWO_CORES,
  )
  await assert.rejects(async () => {
    await addAll(out, vehicles(MANY))
    await out.end()
  }, /the disk is full/)
})

test('a thread that dies fails the rest; one that is not wanted any more ends', async t => {
  const threads = startedThreads(t)
  const failing = copyEncoder(VEHICLES, () => undefined, TWO_CORES)
  await assert.rejects(async () => {
    await addAll(failing, vehicles(25_000))
    void threads[0]?.terminate()
    await failing.end()
  }, /exited with status/)

  const cancelled = copyEncoder(VEHICLES, () => undefined, TWO_CORES)
  await addAll(cancelled, vehicles(25_000))
  await cancelled.cancel()
  assert.deepEqual(
    threads.map(({ threadId }) => threadId),
    [-1, -1],
  )
})
