import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { knownAt, openStream, openStreams } from '../support/event-streams.ts'
import { FakeClock } from '../support/feed-poller-setup.ts'
import { followLive, problemOf, STREAM, tellUntil } from '../support/live-stream.ts'
import { exchange } from '../support/raw-http.ts'
import { until } from '../support/until.ts'

test('many events for many clients: each gets them in order, and a client that joins in between never goes back in time', async t => {
  const { url, live } = await followLive(t)
  const streams = await openStreams(t, url, 250)
  let second = 0
  const tellNext = () => live.tell(knownAt(++second, { A: second + 1, B: 2 }))
  const coming = Promise.all(
    Array.from({ length: 20 }, async () => {
      for (let i = 1; i <= 5; i++) tellNext()
      return openStream(t, url)
    }),
  )
  streams.push(...(await coming))
  await until(
    () => streams.every(({ events }) => events.at(-1)?.id.startsWith(knownAt(second, {}).timestamp)),
    'the last event at each',
  )
  for (const { events } of streams) {
    const told = events.map(({ data }) => JSON.parse(data).results[0].spaces)
    assert.deepEqual(
      told,
      [...new Set(told)].sort((a, b) => a - b),
    )
  }
  assert.ok(streams.slice(0, 250).every(({ events }) => events.length === 101))
})

test('without events a comment is sent every 15 seconds, and no timer remains after the last client leaves', async t => {
  const clock = new FakeClock()
  const began = clock.time
  const { url, figures } = await followLive(t, { eventClients: { timers: clock } })
  const streams = await openStreams(t, url, 2)
  for (const beats of [1, 2, 3]) {
    assert.equal(clock.next(), true)
    assert.equal(clock.time - began, beats * 15_000)
    await until(() => streams.every(({ comments }) => comments.length === beats), 'a heartbeat at each')
  }
  assert.ok(streams.every(({ events }) => events.length === 1))
  for (const stream of streams) stream.close()
  await until(() => figures().connected === 0, 'both to be gone')
  assert.equal(clock.timers.size, 0)
})

test('a stream ends after ten minutes, and its client goes on by Last-Event-ID without missing anything', async t => {
  const clock = new FakeClock()
  const began = clock.time
  const { url, live } = await followLive(t, { eventClients: { timers: clock } })
  const first = await openStream(t, url)
  let isOver = false
  const ending = first.ended.then(how => {
    isOver = true
    return how
  })
  await until(() => {
    if (clock.time - began < 600_000) clock.next()
    return isOver
  }, 'the end of the stream')
  assert.deepEqual([await ending, clock.time - began, first.comments.length], ['cleanly', 600_000, 39])
  live.tell(knownAt(1, { A: 5, B: 2 }))
  live.tell(knownAt(2, { A: 5, B: 7 }))
  const second = await openStream(t, url, { 'last-event-id': first.events.at(-1)?.id ?? '' })
  const [missed] = second.events
  assert.equal(missed?.event, 'change')
  assert.deepEqual(
    JSON.parse(missed.data).results.map(({ spaces }: { spaces: number }) => spaces),
    [5, 7],
  )
})

test('clients beyond the maximum get 503 with Retry-After until one leaves', async t => {
  const { url, origin, figures } = await followLive(t, { eventClients: { most: 2 } })
  const [one] = await openStreams(t, url, 2)
  for (const method of ['GET', 'HEAD']) {
    const refused = await fetch(url, { method })
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '30'])
    if (method === 'GET') assert.equal((await problemOf(refused)).code, 'OVERLOADED')
  }
  assert.equal((await fetch(`${origin}/v1/toilets`)).status, 200)
  assert.deepEqual(figures(), { connected: 2, dropped: 0, refused: 2 })
  one?.close()
  await until(() => figures().connected === 1, 'one to be gone')
  assert.equal((await openStream(t, url)).status, 200)
})

test('one client follows a tenth of the streams at most, and takes no place from others', async t => {
  const { url, figures } = await followLive(t, { eventClients: { most: 20 } })
  const streamOf = (client: string) => openStream(t, url, { 'x-forwarded-for': client })
  const [first] = [await streamOf('2001:db8::1'), await streamOf('2001:db8::2')]
  for (const method of ['GET', 'HEAD']) {
    const refused = await fetch(url, { method, headers: { 'x-forwarded-for': '2001:db8::3' } })
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '30'])
    if (method === 'GET')
      assert.equal((await problemOf(refused)).detail, 'One client may follow 2 streams at once.')
  }
  await openStreams(t, url, 18)
  assert.deepEqual(figures(), { connected: 20, dropped: 0, refused: 2 })
  first?.close()
  await until(() => figures().connected === 19, 'one to be gone')
  assert.equal((await streamOf('2001:db8::4')).status, 200)
})

test('a client that does not read is disconnected, and the others get every event', async t => {
  const clock = new FakeClock()
  const { url, live, figures } = await followLive(t, { eventClients: { timers: clock } })
  const [reader, ...stuck] = await openStreams(t, url, 4)
  for (const stream of stuck) stream.stopReading()
  // What is not read fills what the kernel takes, then what the service keeps.
  const told = await tellUntil(live, 200_000, () => figures().dropped === stuck.length)
  await until(() => reader?.events.length === told + 1, 'every event at the reader')
  assert.deepEqual(figures(), { connected: 1, dropped: 3, refused: 0 })
})

test('a client that stops reading is disconnected at the second heartbeat, however little is unsent', async t => {
  const clock = new FakeClock()
  const { url, app, live, figures } = await followLive(t, { eventClients: { timers: clock } })
  const sockets: Socket[] = []
  app.server.on('connection', socket => sockets.push(socket))
  const stuck = await openStream(t, url)
  stuck.stopReading()
  await tellUntil(live, 50_000, () => sockets[0]?.writableLength !== 0)
  const socket = sockets[0]
  const unsent = socket?.writableLength ?? 0
  assert.ok(clock.next())
  await until(() => (socket?.writableLength ?? 0) > unsent, 'the heartbeat')
  assert.deepEqual(figures(), { connected: 1, dropped: 0, refused: 0 })
  assert.ok(clock.next())
  await until(() => figures().connected === 0, 'the client to be dropped')
  assert.deepEqual(figures(), { connected: 0, dropped: 1, refused: 0 })
  assert.equal(clock.timers.size, 0)
})

test('a stream must be the only response in progress on its connection', async t => {
  const { port, figures } = await followLive(t)
  const request = `GET ${STREAM} HTTP/1.1\r\nHost: a\r\n\r\n`
  const { text } = await exchange(port, request.repeat(50), { patienceMs: 2000 })
  assert.equal(text.match(/event: snapshot/g)?.length, 1)
  await until(() => figures().connected === 0, 'the place to be free')

  // Its compression takes a thread.
  const document = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br\r\n\r\n'
  const behind = await exchange(port, document + request)
  assert.deepEqual(behind.text.match(/HTTP\/1.1 \d+|"code":"\w+"/g), [
    'HTTP/1.1 200',
    ...['HTTP/1.1 400', '"code":"BAD_REQUEST"'],
  ])
})

test('the app closes with open streams: they end cleanly, and a client that does not read is disconnected', async t => {
  const { url, app, live } = await followLive(t)
  const streams = await openStreams(t, url, 5)
  const sockets: Socket[] = []
  app.server.on('connection', socket => sockets.push(socket))
  const stuck = await openStream(t, url)
  stuck.stopReading()
  await tellUntil(live, 50_000, () => sockets[0]?.writableLength !== 0)
  await app.close()
  assert.deepEqual(new Set(await Promise.all(streams.map(({ ended }) => ended))), new Set(['cleanly']))
  assert.ok(sockets[0]?.destroyed)
})
