import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStream } from '../support/event-streams.ts'
import { FakeClock } from '../support/feed-poller-setup.ts'
import { followLive } from '../support/live-stream.ts'
import { losePacketsTo, noLostPackets } from '../support/lost-packets.ts'
import { until } from '../support/until.ts'

const VANISHED = '127.0.0.77'

test('a client that vanishes without closing its connection leaves its place when its stream ends by itself', async t => {
  const reason = await noLostPackets(VANISHED)
  if (reason !== false) {
    t.skip(reason)
    return
  }
  const clock = new FakeClock()
  const { url, figures } = await followLive(t, { eventClients: { timers: clock, lifetimeMs: 40_000 } })
  const vanished = await openStream(t, url, {}, VANISHED)
  await losePacketsTo(t, VANISHED)
  for (const heartbeat of [1, 2]) {
    assert.ok(clock.next())
    assert.equal(figures().connected, 1, `after heartbeat ${heartbeat}`)
  }
  assert.ok(clock.next())
  await until(() => clock.timers.size === 0, 'the end of the connection')
  assert.deepEqual(figures(), { connected: 0, dropped: 0, refused: 0 })
  assert.equal(vanished.comments.length, 0)
})
