import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStreams } from '../support/event-streams.ts'
import { answers, entry, payload, startUpstream } from '../support/misbehaving-upstream.ts'
import { makeSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const STREAMS = 200

/** A good answer of the feed, so many seconds old. */
const told = (secondsAgo: number, spaces: number) =>
  answers(payload([entry('HARBST', spaces)], new Date(Date.now() - secondsAgo * 1000).toISOString()))

test(`${STREAMS} open streams: each gets every event, and SIGTERM ends them cleanly at once`, async t => {
  const upstream = await startUpstream(told(60, 100))
  t.after(() => upstream.close())
  const site = await makeSite(t)
  const serving = await site.serve({
    ...{ LIVE_FEED_URL: upstream.url, LIVE_FEED_INTERVAL_S: '1' },
    TRUST_PROXY: '127.0.0.1',
  })
  const streams = await openStreams(t, `${serving.url}/v1/carparks/live-spaces/stream`, STREAMS)
  upstream.behaviour = told(50, 99)
  await until(() => streams.every(({ events }) => events.length === 2), 'the change at every client')
  for (const { events } of streams) {
    assert.deepEqual(
      events.map(({ event }) => event),
      ['snapshot', 'change'],
    )
    assert.equal(JSON.parse(events[1]?.data ?? '').results[0].spaces, 99)
  }

  const from = performance.now()
  const stopped = serving.stop('SIGTERM')
  const endings = await Promise.all(streams.map(({ ended }) => ended))
  const endedAfter = performance.now() - from
  assert.deepEqual(new Set(endings), new Set(['cleanly']))

  await t.test('who comes while it stops gets what is known, and the end', async () => {
    const { status, text } = await serving.get('/v1/carparks/live-spaces/stream')
    assert.equal(status, 200)
    assert.match(text, /^retry: \d+\nevent: snapshot\n/)
  })

  const { status, seconds } = await stopped
  t.diagnostic(`streams ended ${endedAfter.toFixed(0)} ms, the process ${seconds.toFixed(1)} s after SIGTERM`)
  assert.equal(status, 0)
  // Requests under way would have got five seconds more.
  assert.ok(seconds < 5)
  const lines = serving.log.filter(({ path }) => String(path).endsWith('/stream'))
  assert.equal(lines.length, STREAMS + 1)
})
