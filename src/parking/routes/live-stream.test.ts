import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { knownAt, readEvents } from '../../../test/support/event-streams.ts'
import type { LiveNow } from '../live-schema.ts'
import { idOf, trackChanges } from './live-stream.ts'

const CODES = ['A', 'B', 'C']

/** Parses an event as a client does. */
function read(bytes: Buffer | undefined) {
  const parser = readEvents()
  parser.take(String(bytes ?? ''))
  const [event] = parser.events
  return event && { ...event, ...(JSON.parse(event.data) as LiveNow) }
}

const codesOf = (bytes: Buffer | undefined) => read(bytes)?.results.map(({ code }) => code)

/** A client that handles events as documented, and remembers the last id. */
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

/** A newly connected client. */
function newcomer(changes: ReturnType<typeof trackChanges>): Client {
  const client = new Client()
  client.take(changes.since(undefined))
  return client
}

test('an event has only the changed entries, with an id of the state', () => {
  const changes = trackChanges()
  assert.equal(read(changes.take(knownAt(0, { A: 1, B: 2 })))?.event, 'snapshot')
  const change = read(changes.take(knownAt(1, { A: 1, B: 3 })))
  assert.deepEqual([change?.event, change?.id], ['change', idOf(knownAt(1, { A: 1, B: 3 }))])
  assert.deepEqual(change?.results, knownAt(1, { B: 3 }).results)
  assert.equal(change?.timestamp, '2024-02-04T12:00:01.000Z')
  assert.match(change?.id ?? '', /^2024-02-04T12:00:01\.000Z\/[\w-]{12}$/)
})

test('a new quality alone is a change; a new reading time alone is not', () => {
  const changes = trackChanges()
  changes.take(knownAt(0, { A: 1, B: 2 }))
  assert.equal(changes.take(knownAt(1, { A: 1, B: 2 })), undefined)
  const now = knownAt(1, { A: 1, B: 2 }, { A: 'stale' })
  const stale = read(changes.take(now))
  assert.deepEqual([stale?.event, stale?.id], ['change', idOf(now)])
  assert.deepEqual(stale?.results[0]?.quality, 'stale')
  assert.equal(changes.take(knownAt(1, { A: 1, B: 2 }, { A: 'stale' })), undefined)
})

test('when a car park is added, removed or moved, a snapshot is sent', () => {
  const changes = trackChanges()
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

test('a client that reconnects gets the missed changes once, or nothing', () => {
  const changes = trackChanges()
  const told = [
    knownAt(0, { A: 1, B: 2, C: 3 }),
    knownAt(1, { A: 1, B: 2, C: 4 }),
    knownAt(2, { A: 2, B: 2, C: 4 }),
    knownAt(3, { A: 1, B: 2, C: 4 }),
  ]
  const [first = '', , third, last] = told.map(now => {
    changes.take(now)
    return idOf(now)
  })
  assert.equal(changes.since(last), undefined)
  assert.deepEqual(codesOf(changes.since(third)), ['A'])
  assert.deepEqual(codesOf(changes.since(first)), ['A', 'C'])
  assert.deepEqual([read(changes.since(first))?.event, read(changes.since(first))?.id], ['change', last])
  for (const unknown of [
    undefined,
    '',
    'nonsense',
    first.slice(0, 24),
    `${first}x`,
    first.replace('4T', '3T'),
  ])
    assert.equal(read(changes.since(unknown))?.event, 'snapshot')
})

test('a quality that changes between two readings is missed only by clients that left before', () => {
  const changes = trackChanges()
  const [good, stale] = [knownAt(1, { A: 2, B: 2 }), knownAt(1, { A: 2, B: 2 }, { B: 'stale' })]
  changes.take(knownAt(0, { A: 1, B: 2 }))
  changes.take(good)
  changes.take(stale)
  assert.deepEqual(codesOf(changes.since(idOf(good))), ['B'])
  assert.equal(changes.since(idOf(stale)), undefined)
  changes.take(good)
  assert.equal(changes.since(idOf(good)), undefined)
  assert.deepEqual(codesOf(changes.since(idOf(stale))), ['B'])
})

test('a client from a process with a different state of the same reading gets a snapshot', () => {
  const changes = trackChanges()
  const now = knownAt(0, { A: 1, B: 2 }, { B: 'stale' })
  changes.take(now)
  assert.equal(changes.since(idOf(now)), undefined)
  for (const otherwise of [knownAt(0, { A: 1, B: 2 }), knownAt(0, { A: 1, B: 3 }, { B: 'stale' })])
    assert.equal(read(changes.since(idOf(otherwise)))?.event, 'snapshot')
})

test('old events are forgotten', () => {
  const changes = trackChanges()
  for (let second = 0; second <= 300; second++) changes.take(knownAt(second, { A: second, B: 0 }))
  const since = (second: number) => changes.since(idOf(knownAt(second, { A: second, B: 0 })))
  assert.equal(read(since(0))?.event, 'snapshot')
  assert.deepEqual(codesOf(since(1)), ['A'])
})

test('all clients of the same event get the same Buffer', () => {
  const changes = trackChanges()
  const first = knownAt(0, { A: 1, B: 2 })
  changes.take(first)
  const event = changes.take(knownAt(1, { A: 2, B: 2 }))
  assert.equal(changes.since(idOf(first)), event)
  assert.equal(changes.since('one'), changes.since('another'))
})

test('a client that reconnects at any time, between processes that miss readings, has the state of a new client', () => {
  const step = fc.record({
    later: fc.nat(1),
    spaces: fc.dictionary(fc.constantFrom(...CODES), fc.nat(1), { minKeys: 2, noNullPrototype: true }),
    qualities: fc.dictionary(fc.constantFrom(...CODES), fc.constantFrom('good', 'stale', 'frozen'), {
      noNullPrototype: true,
    }),
    /** The processes that see it, and the one that the client follows, if any. */
    seenBy: fc.subarray([0, 1]),
    at: fc.constantFrom(0, 1, undefined),
  })
  const property = fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), steps => {
    const processes = [trackChanges(), trackChanges()]
    for (const changes of processes) changes.take(knownAt(0, { A: 0, B: 0 }))
    const client = new Client()
    let second = 0
    let wasAt: number | undefined
    for (const { later, spaces, qualities, seenBy, at } of steps) {
      second += later
      const now = knownAt(second, spaces, qualities as Parameters<typeof knownAt>[2])
      const events = processes.map((changes, place) =>
        seenBy.includes(place) ? changes.take(now) : undefined,
      )
      const changes = at === undefined ? undefined : processes[at]
      if (at !== undefined && changes !== undefined) {
        client.take(wasAt === at ? events[at] : changes.since(client.id))
        assert.deepEqual(client.entries, newcomer(changes).entries)
      }
      wasAt = at
    }
  })
  fc.assert(property, { numRuns: 1000 })
})
