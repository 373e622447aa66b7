import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { createEventParser } from '../../client/src/event-parser.ts'
import { createClient, type LiveEvent } from '../../client/src/index.ts'
import { followLiveEvents } from '../../client/src/live-events.ts'
import { knownAt } from '../support/event-streams.ts'
import { followLive } from '../support/live-stream.ts'
import {
  answersStatus,
  type Behaviour,
  hangs,
  resets,
  startUpstream,
} from '../support/misbehaving-upstream.ts'

test('events are the same however the stream is cut into pieces', () => {
  const stream = [
    ...[': comment', 'retry: 4000', '', 'event: change', 'id: 1', 'data: {"a":', 'data: "é:"}', ''],
    ...['id', 'data:two', '', 'event: lost', '', 'data', '', 'unknown: x', 'data: unfinished'],
  ]
  const expected = [
    { event: 'change', id: '1', data: '{"a":\n"é:"}' },
    { event: 'message', id: '', data: 'two' },
    { event: 'message', id: '', data: '' },
  ]
  fc.assert(
    fc.property(fc.constantFrom('\n', '\r\n', '\r'), fc.array(fc.nat(200)), (end, cuts) => {
      const text = stream.join(end)
      const parser = createEventParser()
      const ends = [...cuts.sort((one, other) => one - other), text.length]
      const events = ends.flatMap((to, index) => parser.take(text.slice(ends[index - 1] ?? 0, to)))
      assert.deepEqual(events, expected)
      assert.equal(parser.retryMs, 4000)
    }),
  )
})

test('a stream of the service that breaks goes on without loss', async t => {
  const { app, live, origin } = await followLive(t)
  const controller = new AbortController()
  const client = createClient({ baseUrl: origin, wait: async () => live.tell(knownAt(2, { A: 3, B: 2 })) })
  const events = client.events({ signal: controller.signal })
  const next = async () => (await events.next()).value ?? assert.fail('the stream ended')
  const first = await next()
  assert.equal(first.event, 'snapshot')
  assert.deepEqual(
    first.data.results.map(({ spaces }) => spaces),
    [1, 2],
  )
  live.tell(knownAt(1, { A: 2, B: 2 }))
  const second = await next()
  assert.deepEqual([second.event, second.data.results.map(({ code }) => code)], ['change', ['A']])
  // What the client is told while it is away comes when it is back.
  app.server.closeAllConnections()
  const third = await next()
  assert.deepEqual([third.event, third.data.results.map(({ spaces }) => spaces)], ['change', [3]])
  const last = events.next()
  controller.abort()
  assert.deepEqual(await last, { done: true, value: undefined })
})

const DATA = JSON.stringify(knownAt(0, { A: 1 }))

/** Sends an event, and then leaves the stream open, ends or cuts it. */
const sends =
  (id: string, then: 'stays' | 'ends' | 'cuts'): Behaviour =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    // The event after it is not whole.
    response.write(
      `retry: 2000\n\nevent: snapshot\nid: ${id}\ndata: ${DATA}\n\nevent: change\ndata: {`,
      () => {
        if (then === 'ends') response.end()
        if (then === 'cuts') response.socket?.resetAndDestroy()
      },
    )
  }

/** Follows a server that behaves in these ways in turn, and then as in the last, until it has given so many events. */
async function follow(t: TestContext, behaviours: readonly Behaviour[], count: number, silenceMs = 60_000) {
  const upstream = await startUpstream((request, response) =>
    (behaviours[upstream.requests.length - 1] ?? behaviours.at(-1))?.(request, response),
  )
  t.after(() => upstream.close())
  const waits: number[] = []
  const events: LiveEvent[] = []
  for await (const event of followLiveEvents({
    ...{ url: upstream.url, fetch, signal: undefined, silenceMs },
    wait: async ms => void waits.push(ms),
  }))
    if (events.push(event) === count) break
  return {
    ids: events.map(({ id }) => id),
    waits,
    sent: upstream.requests.map(request => request['last-event-id']),
  }
}

test('it connects again with the last id, after no less than the server asks for', async t => {
  const behaviours = [resets, sends('a', 'ends'), sends('b', 'cuts'), answersStatus(503), sends('c', 'stays')]
  const { ids, sent, waits } = await follow(t, behaviours, 3)
  assert.deepEqual(ids, ['a', 'b', 'c'])
  assert.deepEqual(sent, [undefined, undefined, 'a', 'b', 'b'])
  assert.equal(waits.length, 4)
  assert.ok(
    waits.slice(1, 3).every(ms => ms >= 2000),
    String(waits),
  )
})

test('a connection on which nothing comes is left', async t => {
  const { ids, sent } = await follow(t, [hangs, sends('a', 'stays')], 2, 100)
  assert.deepEqual(ids, ['a', 'a'])
  // A busy machine may take longer over an answer than the silence that this client allows: then it asks more often.
  assert.deepEqual([sent[0], sent[1], sent.at(-1)], [undefined, undefined, 'a'])
})

test('a refusal for good is thrown', async t => {
  await assert.rejects(follow(t, [answersStatus(404)], 1), { name: 'ProblemError', status: 404 })
})
