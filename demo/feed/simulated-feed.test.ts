import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { LIVE_CARPARKS } from './live-carparks.ts'
import { type SimulatedFeedOptions, startSimulatedFeed } from './simulated-feed.ts'

/** The government feed's format, strictly. */
const Entry = Type.Object(
  {
    name: Type.String(),
    code: Type.String(),
    spaces: Type.Integer({ minimum: 0 }),
    type: Type.Union([Type.Literal('Long stay'), Type.Literal('Short stay')]),
    status: Type.Literal('good'),
    carparkOpen: Type.Boolean(),
    carparkInformation: Type.String(),
    numberOfUnusableSpaces: Type.Integer({ minimum: 0 }),
    numberOfSpacesConsideredLow: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
)
const Feed = Type.Object({
  carparkData: Type.Object({
    Synthetic: Type.Object({ carpark: Type.Array(Entry) }),
    Timestamp: Type.String({
      pattern:
        '^This information was updated at \\d\\d:\\d\\d:\\d\\d on [A-Z][a-z]+day \\d{1,2} [A-Z][a-z]+$',
    }),
  }),
})
const feedFormat = Compile(Feed)

describe('the simulated feed', () => {
  test("answers in the government feed's format, for the live car parks of the island", async t => {
    const { carparkData } = await read(await open(t, { now: () => new Date('2025-06-18T11:00:00Z') }))
    assert.deepEqual(
      carparkData.Synthetic.carpark.map(({ code, name }) => [code, name]),
      [...LIVE_CARPARKS, { code: 'TEST', name: 'TEST' }].map(({ code, name }) => [code, name]),
    )
  })

  test("tells its time in the island's local words, in half-minutes", async t => {
    const texts: [now: string, text: string][] = [
      ['2023-08-29T12:32:48.000Z', '13:32:30 on Tuesday 29 August'],
      ['2024-01-01T00:00:05.000Z', '00:00:00 on Monday 1 January'],
      ['2025-10-26T00:59:59.999Z', '01:59:30 on Sunday 26 October'],
      ['2025-10-26T01:00:00.000Z', '01:00:00 on Sunday 26 October'],
    ]
    for (const [now, text] of texts) {
      const { carparkData } = await read(await open(t, { now: () => new Date(now) }))
      assert.equal(carparkData.Timestamp, `This information was updated at ${text}`)
    }
    const elsewhere = await open(t, {
      now: () => new Date('2023-08-29T02:02:48.000Z'),
      timeZone: 'Asia/Tokyo',
    })
    assert.match((await read(elsewhere)).carparkData.Timestamp, /11:02:30 on Tuesday 29 August$/)
  })

  test('revalidates: the same half-minute is 304, the next one is new', async t => {
    let now = new Date('2025-06-18T10:00:01.000Z')
    const url = await open(t, { now: () => now })
    const etag = (await fetch(url)).headers.get('etag') ?? ''
    assert.match(etag, /^"[0-9a-f]{32}"$/)
    now = new Date('2025-06-18T10:00:29.000Z')
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await fetch(url, { headers: { 'If-None-Match': tags } })
      assert.deepEqual([again.status, again.headers.get('etag'), await again.text()], [304, etag, ''])
    }
    now = new Date('2025-06-18T10:00:30.000Z')
    const next = await fetch(url, { headers: { 'If-None-Match': etag } })
    assert.equal(next.status, 200)
    assert.notEqual(next.headers.get('etag'), etag)
  })

  test('stands still for a while each night, its own time with it, and then gives no answer', async t => {
    const texts: string[] = []
    for (const now of ['2025-01-15T03:00:00Z', '2025-01-15T03:20:10Z', '2025-01-15T03:39:59Z']) {
      const { carparkData } = await read(await open(t, { now: () => new Date(now) }))
      texts.push(JSON.stringify(carparkData))
    }
    assert.equal(new Set(texts).size, 1)
    const silent = await fetch(await open(t, { now: () => new Date('2025-01-15T03:45:00Z') }))
    assert.deepEqual([silent.status, silent.headers.get('retry-after')], [503, '60'])
    await read(await open(t, { now: () => new Date('2025-01-15T03:50:00Z') }))
  })

  test('one car park closes at night, and says so', async t => {
    const openAt = async (now: string) => {
      const { carparkData } = await read(await open(t, { now: () => new Date(now) }))
      return carparkData.Synthetic.carpark.filter(({ carparkOpen }) => carparkOpen).length
    }
    const all = LIVE_CARPARKS.length + 1
    assert.equal(await openAt('2025-01-15T12:00:00Z'), all)
    assert.equal(await openAt('2025-01-15T21:59:59Z'), all)
    assert.equal(await openAt('2025-01-15T23:00:00Z'), all - 1)
    assert.equal(await openAt('2025-01-16T05:59:59Z'), all - 1)
    assert.equal(await openAt('2025-01-16T06:00:00Z'), all)
  })

  test('answers GET and HEAD of its own address, and nothing else', async t => {
    const url = await open(t, { now: () => new Date('2025-06-18T11:00:00Z') })
    const head = await fetch(url, { method: 'HEAD' })
    assert.deepEqual([head.status, await head.text()], [200, ''])
    const post = await fetch(url, { method: 'POST' })
    assert.deepEqual([post.status, post.headers.get('allow')], [405, 'GET, HEAD'])
    assert.equal((await fetch(new URL('/', url))).status, 404)
  })

  test('frees its port when it is closed, even with a connection open', async () => {
    const feed = await startSimulatedFeed()
    await (await fetch(feed.url)).text()
    await feed.close()
    await assert.rejects(fetch(feed.url))
  })
})

async function open(t: TestContext, options: SimulatedFeedOptions = {}): Promise<string> {
  const feed = await startSimulatedFeed(options)
  t.after(() => feed.close())
  return feed.url
}

async function read(url: string): Promise<Type.Static<typeof Feed>> {
  const response = await fetch(url)
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  const payload: unknown = await response.json()
  assert.ok(feedFormat.Check(payload), JSON.stringify(feedFormat.Errors(payload)))
  return payload
}
