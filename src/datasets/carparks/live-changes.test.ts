import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { knownAt, readEvents } from '../../../test/support/event-streams.ts'
import { type LiveChanges, rememberChanges } from './live-changes.ts'
import type { LiveNow } from './live-events.ts'

const CODES = ['A', 'B', 'C']

/** An event as a client gets it. */
function read(bytes: Buffer | undefined) {
  const parser = readEvents()
  parser.take(String(bytes ?? ''))
  const [event] = parser.events
  return event && { ...event, ...(JSON.parse(event.data) as LiveNow) }
}

const codesOf = (bytes: Buffer | undefined) => read(bytes)?.results.map(({ code }) => code)

/** A client that does with events what the documentation says, and remembers the last id. */
class Client {
  id: string | undefined
  entries = new Map<string, unknown>()
  take(bytes: Buffer | undefined): void {
    const event = read(bytes)
    if (event === undefined) return
    if (event.event === 'snapshot') this.entries.clear()
    for (const { observedAt: _, ...entry } of event.results) this.entries.set(entry.code, entry)
    this.id = event.id
  }
}

/** What a client knows that has just come. */
function newcomer(changes: LiveChanges): Client {
  const client = new Client()
  client.take(changes.since(undefined))
  return client
}

test('an event tells only of what changed, under the time of the reading', () => {
  const changes = rememberChanges()
  assert.equal(read(changes.take(knownAt(0, { A: 1, B: 2 })))?.event, 'snapshot')
  const change = read(changes.take(knownAt(1, { A: 1, B: 3 })))
  assert.deepEqual([change?.event, change?.id], ['change', '2024-02-04T12:00:01.000Z'])
  assert.deepEqual(change?.results, knownAt(1, { B: 3 }).results)
  assert.equal(change?.timestamp, change?.id)
})

test('a quality by itself is a change; the time of a reading by itself is none', () => {
  const changes = rememberChanges()
  changes.take(knownAt(0, { A: 1, B: 2 }))
  assert.equal(changes.take(knownAt(1, { A: 1, B: 2 })), undefined)
  const stale = read(changes.take(knownAt(1, { A: 1, B: 2 }, { A: 'stale' })))
  assert.deepEqual([stale?.event, stale?.id], ['change', '2024-02-04T12:00:01.000Z'])
  assert.deepEqual(stale?.results[0]?.quality, 'stale')
  assert.equal(changes.take(knownAt(1, { A: 1, B: 2 }, { A: 'stale' })), undefined)
})

test('where a car park comes, goes or moves, all are told again', () => {
  const changes = rememberChanges()
  changes.take(knownAt(0, { A: 1, B: 2 }))
  for (const [second, spaces] of [
    { A: 1, B: 2, C: 3 },
    { A: 1, C: 3 },
    { C: 3, A: 1 },
  ].entries()) {
    const event = read(changes.take(knownAt(second + 1, spaces)))
    assert.equal(event?.event, 'snapshot')
    assert.deepEqual(event?.results, knownAt(second + 1, spaces).results)
  }
})

test('who comes back is told what was missed, once, or nothing', () => {
  const changes = rememberChanges()
  changes.take(knownAt(0, { A: 1, B: 2, C: 3 }))
  changes.take(knownAt(1, { A: 1, B: 2, C: 4 }))
  changes.take(knownAt(2, { A: 2, B: 2, C: 4 }))
  changes.take(knownAt(3, { A: 1, B: 2, C: 4 }))
  const since = (second: number) => changes.since(knownAt(second, {}).timestamp)
  assert.equal(since(3), undefined)
  assert.deepEqual(codesOf(since(2)), ['A'])
  assert.deepEqual(codesOf(since(0)), ['A', 'C'])
  assert.deepEqual([read(since(0))?.event, read(since(0))?.id], ['change', '2024-02-04T12:00:03.000Z'])
  for (const unknown of [undefined, '', 'nonsense', '2024-02-04T11:59:59.000Z', '2024-02-04T12:00:04.000Z'])
    assert.equal(read(changes.since(unknown))?.event, 'snapshot')
})

test('a quality that changed under an id that was told already is not missed', () => {
  const changes = rememberChanges()
  changes.take(knownAt(0, { A: 1, B: 2 }))
  changes.take(knownAt(1, { A: 2, B: 2 }))
  changes.take(knownAt(1, { A: 2, B: 2 }, { B: 'stale' }))
  const { timestamp } = knownAt(1, {})
  assert.deepEqual(codesOf(changes.since(timestamp)), ['B'])
  changes.take(knownAt(1, { A: 2, B: 2 }))
  assert.deepEqual(codesOf(changes.since(timestamp)), ['B'])
})

test('what is not good when the service starts is told again: another process may have told of it as good', () => {
  const changes = rememberChanges()
  const now = knownAt(0, { A: 1, B: 2 }, { B: 'stale' })
  changes.take(now)
  assert.deepEqual(codesOf(changes.since(now.timestamp)), ['B'])
})

test('what is long past is not known any more, and of one reading all or nothing is', () => {
  const changes = rememberChanges()
  changes.take(knownAt(0, { A: 0, B: 0 }))
  for (const quality of ['stale', 'frozen'] as const) changes.take(knownAt(0, { A: 0, B: 0 }, { B: quality }))
  for (let second = 1; second < 300; second++)
    changes.take(knownAt(second, { A: second, B: 0 }, { B: 'frozen' }))
  const first = read(changes.since(knownAt(0, {}).timestamp))
  assert.equal(first?.event, 'snapshot')
  assert.deepEqual(codesOf(changes.since(knownAt(1, {}).timestamp)), ['A'])
})

test('all who ask the same get the same Buffer', () => {
  const changes = rememberChanges()
  changes.take(knownAt(0, { A: 1, B: 2 }))
  const event = changes.take(knownAt(1, { A: 2, B: 2 }))
  assert.equal(changes.since(knownAt(0, {}).timestamp), event)
  assert.equal(changes.since('one'), changes.since('another'))
})

test('whoever comes and goes at whatever moment knows in the end what a newcomer does', () => {
  const step = fc.record({
    later: fc.nat(1),
    spaces: fc.dictionary(fc.constantFrom(...CODES), fc.nat(1), { minKeys: 2, noNullPrototype: true }),
    qualities: fc.dictionary(fc.constantFrom(...CODES), fc.constantFrom('good', 'stale', 'frozen'), {
      noNullPrototype: true,
    }),
    isThere: fc.boolean(),
  })
  const property = fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), steps => {
    const changes = rememberChanges()
    const client = new Client()
    let second = 0
    let wasThere = false
    for (const { later, spaces, qualities, isThere } of steps) {
      second += later
      const event = changes.take(knownAt(second, spaces, qualities as Parameters<typeof knownAt>[2]))
      if (isThere) client.take(wasThere ? event : changes.since(client.id))
      if (isThere) assert.deepEqual(client.entries, newcomer(changes).entries)
      wasThere = isThere
    }
  })
  fc.assert(property, { numRuns: 1000 })
})
