import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { inTurns, timed } from './large-body.ts'
import { createScheduler } from './scheduler.ts'

const TURNS = { scheduler: createScheduler(), client: 'client' }

const bytes = (text: string) => Buffer.from(text)

test('each chunk of a stream has a turn of the event loop, and an empty one only that', async () => {
  let turns = 0
  let ended = false
  const count = () => {
    turns++
    if (!ended) setImmediate(count)
  }
  setImmediate(count)
  async function* chunks() {
    for (const text of ['a', '', '', '', 'b', '']) yield bytes(text)
  }
  const seen: string[] = []
  for await (const chunk of inTurns(chunks(), TURNS)) seen.push(String(chunk))
  ended = true
  assert.deepEqual(seen, ['a', 'b'])
  assert.ok(turns >= 6, `${turns} turns`)
})

test('a fast client gets a long chunk in large parts, and one with 4 KB/s parts that take it four seconds', async t => {
  let time = 0
  t.mock.method(performance, 'now', () => time)
  const chunk = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251))
  async function* chunks() {
    yield chunk
    yield chunk
  }
  const lengths = async (msOfPart: number) => {
    const parts: Uint8Array[] = []
    for await (const part of inTurns(chunks(), TURNS)) {
      parts.push(part)
      time += msOfPart
    }
    assert.deepEqual(Buffer.concat(parts), Buffer.concat([chunk, chunk]))
    return parts.map(({ length }) => length)
  }
  assert.deepEqual(await lengths(1), [65_536, 34_464, 65_536, 34_464])
  const small = [16_384, 16_384, 16_384, 16_384, 16_384, 16_384, 1696]
  assert.deepEqual(await lengths(4000), [65_536, 16_384, 16_384, 1696, ...small])
})

test('the time of each chunk is recorded: neither that of its reader, nor that of others in between', async t => {
  let time = 0
  t.mock.method(performance, 'now', () => time)
  async function* chunks() {
    time += 3
    yield bytes('at once')
    await nextTurn()
    time += 5
    yield bytes('later')
  }
  const recorded: number[] = []
  for await (const chunk of timed(chunks(), ms => recorded.push(ms))) {
    assert.ok(chunk.length > 0)
    time += 100
    setImmediate(() => {
      time += 1000
    })
  }
  assert.deepEqual(recorded, [3, 5])
})
