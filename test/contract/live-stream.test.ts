import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idOf } from '../../src/parking/routes/live-stream.ts'
import { knownAt, openStream, readEvents, toldEvents } from '../support/event-streams.ts'
import { FIRST, followLive, problemOf, STREAM } from '../support/live-stream.ts'
import { exchange } from '../support/raw-http.ts'
import { until } from '../support/until.ts'

test('a client that connects gets a snapshot, then each change', async t => {
  const { url, live, responses } = await followLive(t, { synthetic: true })
  const stream = await openStream(t, url)

  await t.test('the head says that it is a stream, which nobody may keep or hold back', () => {
    assert.equal(stream.status, 200)
    for (const line of [
      'content-type: text/event-stream; charset=utf-8',
      ...[
        'cache-control: no-store',
        'x-accel-buffering: no',
        'access-control-allow-origin: *',
        'synthetic-data: true',
      ],
    ])
      assert.ok(stream.head.includes(`\r\n${line}\r\n`), line)
    assert.doesNotMatch(stream.head, /^(content-length|transfer-encoding|content-encoding|etag):/im)
    const retry = stream.retry() ?? assert.fail('no hint when to connect anew')
    assert.ok(retry >= 3000 && retry < 6000)
  })

  await t.test('first a snapshot, whose id names what is known', () => {
    const [event] = stream.events
    assert.deepEqual([event?.event, event?.id], ['snapshot', idOf(FIRST)])
    assert.deepEqual(JSON.parse(event?.data ?? ''), { results: FIRST.results, timestamp: FIRST.timestamp })
  })

  await t.test('then what changes, when it changes', async () => {
    live.tell(knownAt(1, { A: 1, B: 2 }))
    live.tell(knownAt(2, { A: 1, B: 3 }))
    live.tell(knownAt(2, { A: 1, B: 3 }, { A: 'frozen' }))
    await until(() => stream.events.length === 3, 'two changes')
    const changes = stream.events.slice(1).map(({ event, id, data }) => [event, id, JSON.parse(data)])
    const { timestamp } = knownAt(2, {})
    assert.deepEqual(changes, [
      ['change', idOf(knownAt(2, { A: 1, B: 3 })), { results: knownAt(2, { B: 3 }).results, timestamp }],
      [
        'change',
        idOf(knownAt(2, { A: 1, B: 3 }, { A: 'frozen' })),
        { results: knownAt(2, { A: 1 }, { A: 'frozen' }).results, timestamp },
      ],
    ])
  })

  await t.test('it is counted and logged once, when it begins', async () => {
    assert.deepEqual(
      responses.map(({ route, url, status }) => [route, url, status]),
      [[STREAM, STREAM, 200]],
    )
    stream.close()
    assert.equal(await stream.ended, 'cleanly')
    assert.equal(responses.length, 1)
  })
})

test('a client that reconnects with Last-Event-ID gets the missed events', async t => {
  const { url, live } = await followLive(t)
  const resume = (id: string) => openStream(t, url, { 'Last-Event-ID': id })
  live.tell(knownAt(1, { A: 2, B: 2 }))
  live.tell(knownAt(2, { A: 3, B: 2 }))

  const upToDate = await resume(idOf(knownAt(2, { A: 3, B: 2 })))
  assert.deepEqual([upToDate.events.length, upToDate.comments.length], [0, 1])
  const behind = await resume(idOf(FIRST))
  assert.equal(behind.events[0]?.event, 'change')
  assert.deepEqual(JSON.parse(behind.events[0]?.data ?? '').results, knownAt(2, { A: 3 }).results)
  for (const id of ['nonsense', '', FIRST.timestamp, 'é', 'x'.repeat(5000)])
    assert.equal((await resume(id)).events[0]?.event, 'snapshot', id.slice(0, 30))

  live.tell(knownAt(3, { A: 3, B: 9 }))
  await until(() => upToDate.events.length === 1 && behind.events.length === 2, 'the next change')
  assert.equal(upToDate.events[0]?.data, behind.events[1]?.data)
})

test('without a reading, or out of service, the stream is 503 like the list', async t => {
  const early = await followLive(t, { live: toldEvents() })
  const answer = await fetch(early.url)
  assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '42'])
  assert.equal((await problemOf(answer)).code, 'DATASET_UNAVAILABLE')

  const off = await followLive(t, { environment: { UNAVAILABLE_DATASETS: 'carparks' } })
  const { status, headers } = await fetch(off.url)
  assert.deepEqual([status, headers.get('retry-after')], [503, '60'])
})

test('the stream follows the rules of HTTP', async t => {
  const { url, port, app, figures } = await followLive(t)

  await t.test('HEAD gives the head alone, and no stream', async () => {
    const head = await fetch(url, { method: 'HEAD' })
    assert.equal(head.status, 200)
    assert.equal(head.headers.get('content-type'), 'text/event-stream; charset=utf-8')
    assert.equal(head.headers.get('content-length'), null)
    assert.equal(figures().connected, 0)
  })

  await t.test('Accept must take event streams', async () => {
    for (const accept of ['application/json', 'text/csv', 'text/event-stream;q=0']) {
      const refused = await fetch(url, { headers: { accept } })
      assert.equal(refused.status, 406, accept)
      assert.match((await problemOf(refused)).detail, /text\/event-stream/)
    }
    for (const accept of ['text/event-stream', '*/*', 'text/*', 'application/json, text/event-stream;q=0.1'])
      assert.equal((await openStream(t, url, { accept })).status, 200, accept)
  })

  await t.test('unknown parameters are ignored and named, or refused', async () => {
    assert.match((await openStream(t, `${url}?x=1`)).head, /\r\nignored-parameters: x\r\n/)
    const strict = await fetch(`${url}?x=1`, { headers: { prefer: 'handling=strict' } })
    assert.deepEqual([strict.status, (await problemOf(strict)).code], [400, 'UNKNOWN_PARAMETER'])
    assert.equal((await fetch(`${url}?x=%`)).status, 400)
  })

  await t.test('other methods are 405, and there is nothing beneath', async () => {
    assert.equal((await fetch(url, { method: 'POST' })).status, 405)
    assert.equal((await fetch(`${url}/x`)).status, 404)
    assert.equal((await openStream(t, `${url}/`)).status, 200)
  })

  await t.test('HTTP/1.0 gets it as well, its end being that of the connection', async () => {
    const asking = exchange(port, `GET ${STREAM} HTTP/1.0\r\n\r\n`)
    await until(() => figures().connected > 0, 'the client')
    app.eventClients.end()
    const { status, headers, body, closed } = await asking
    const parser = readEvents()
    parser.take(body)
    assert.deepEqual([status, closed, parser.events[0]?.event], [200, true, 'snapshot'])
    assert.equal(headers.connection, 'close')
  })
})

test('a Node client needs only fetch', async t => {
  const { url, live, app } = await followLive(t)
  const { body } = await fetch(url)
  const parser = readEvents()
  const reading = (async () => {
    for await (const chunk of body ?? assert.fail()) parser.take(Buffer.from(chunk).toString())
  })()
  await until(() => parser.events.length === 1, 'the snapshot')
  live.tell(knownAt(1, { A: 5, B: 2 }))
  await until(() => parser.events.length === 2, 'the change')
  app.eventClients.end()
  await reading
})
